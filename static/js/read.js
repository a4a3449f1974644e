// Say that a page of a thread was read, once its end has been seen. Without this, a button does it.
(() => {
  const form = document.querySelector("form[data-mark-read]:not([hidden])");
  if (!form || !("IntersectionObserver" in window)) return;
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    const headers = { "X-Requested-With": "fetch" };
    fetch(form.action, { method: "POST", body: new FormData(form), headers, credentials: "same-origin" })
      .then((response) => { if (response.ok) form.hidden = true; })
      .catch(() => {}); // the button stays
  });
  observer.observe(form);
})();

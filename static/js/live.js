// Look again at the duel shown on the home page, once a minute, while somebody is looking.
(() => {
  const place = document.querySelector("[data-live]");
  if (!place) return;
  const refresh = async () => {
    if (document.hidden) return;
    try {
      const response = await fetch(location.href, { credentials: "same-origin" });
      if (!response.ok) return;
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const fresh = page.querySelector("[data-live]");
      if (fresh && fresh.innerHTML !== place.innerHTML) place.replaceChildren(...fresh.childNodes);
    } catch { /* the next look may do better */ }
  };
  setInterval(refresh, 60_000);
})();

// The recap under the declaration, asked of the server as soon as both zones are chosen: zone, zone, confirm.
// Without this script the form's own button leads to the same recap on a page of its own.
(() => {
  const form = document.getElementById("turn-form");
  const recap = document.getElementById("recap");
  const button = document.getElementById("to-recap");
  if (!form || !recap) return;
  const QUIET = 800; // milliseconds
  const chosen = (name) => form.querySelector(`input[name="${name}"]:checked`);
  let asked = 0;
  let waiting;

  const show = (html) => {
    recap.innerHTML = html;
    const ready = recap.querySelector("form") !== null;
    for (const one of button.querySelectorAll('[value="recap"]')) one.hidden = ready;
    if (!ready) return;
    // What a refused form said is no longer true once the server finds nothing to correct.
    for (const said of document.querySelectorAll("#errors, #text-error, #option-error")) said.remove();
    for (const marked of form.querySelectorAll(".is-invalid")) {
      marked.removeAttribute("aria-invalid");
      marked.classList.remove("is-invalid");
    }
    for (const picker of form.querySelectorAll(".zone-picker[aria-describedby]")) forgive(picker);
  };

  // What was said of a zone is no longer true once another is chosen.
  const forgive = (picker) => {
    picker.classList.remove("is-invalid");
    document.getElementById(picker.getAttribute("aria-describedby"))?.remove();
    picker.removeAttribute("aria-describedby");
  };

  const look = async () => {
    if (!chosen("thrust") || !chosen("parry")) return;
    const mine = ++asked;
    const body = new FormData(form);
    body.set("do", "glance");
    try {
      const answer = await fetch(form.action, { method: "POST", body });
      const html = answer.ok && !answer.redirected ? await answer.text() : "";
      if (mine === asked) show(html);
    } catch {
      if (mine === asked) show(""); // the form's own button is still there
    }
  };

  // What the recap says must be what is filed: any change takes it away until it is made anew.
  form.addEventListener("input", (event) => {
    const picker = event.target.closest(".zone-picker[aria-describedby]");
    if (picker) forgive(picker);
    asked += 1;
    show("");
    clearTimeout(waiting);
    waiting = setTimeout(look, event.target.name === "text" ? QUIET : 0);
  });
  if (!form.dataset.draftDone) look(); // what is filed already needs no confirming
})();

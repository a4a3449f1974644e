// Keep what is typed for a turn: the text in this browser, text and declaration (sealed) on the server.
// The declaration is a secret and never stays in the browser. Loaded on every page of those signed in, so that
// signing out forgets the texts too.
(() => {
  const PREFIX = "draft:";
  const LOCALLY = 500; // milliseconds of quiet
  const REMOTELY = 4000;

  const kept = (key) => {
    try { return JSON.parse(localStorage.getItem(PREFIX + key)); } catch { return null; }
  };
  const keep = (key, text) => {
    try { localStorage.setItem(PREFIX + key, JSON.stringify({ text, at: Date.now() / 1000 })); } catch { /* no room */ }
  };
  const forget = (matches) => {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX) && matches(key.slice(PREFIX.length)));
    for (const key of keys) localStorage.removeItem(key);
  };

  document.addEventListener("submit", (event) => {
    if (event.target.matches('form[action$="/logout/"]')) forget(() => true);
  });

  const done = document.querySelector("[data-draft-done]");
  if (done) forget((key) => key === done.dataset.draftDone);

  const form = document.querySelector("form[data-draft]");
  if (!form) return;
  const says = form.dataset;
  const { draft: key, draftUrl, savedAt } = form.dataset;
  const area = form.elements.text;
  const line = document.getElementById("draft-says");
  const say = (sentence) => { line.textContent = sentence; };

  // Texts of earlier turns of this duel are of no more use here: the server shows them if they were never filed.
  const duel = key.slice(0, key.lastIndexOf(":") + 1);
  forget((other) => other.startsWith(duel) && other !== key);

  const found = kept(key);
  if ("posted" in form.dataset) {
    keep(key, area.value);
  } else if (found && found.text !== area.value && found.at > Number(savedAt || 0)) {
    area.value = found.text;
    area.dispatchEvent(new Event("input"));
    say(says.saysRecovered);
  }

  let locally, remotely;
  const send = async () => {
    const body = new FormData(form);
    body.set("do", "quietly");
    try {
      const answer = await fetch(draftUrl, { method: "POST", body });
      const ok = answer.ok && !answer.redirected; // redirected: signed out meanwhile
      say(ok ? says.saysKept : answer.status === 409 ? says.saysClosed : says.saysUnkept);
    } catch {
      say(says.saysUnkept);
    }
  };
  form.addEventListener("input", (event) => {
    if (event.target === area) {
      clearTimeout(locally);
      locally = setTimeout(() => keep(key, area.value), LOCALLY);
    }
    clearTimeout(remotely);
    remotely = setTimeout(send, REMOTELY);
  });
  // Leaving in the middle of a word keeps it; filing sends nothing more after it.
  addEventListener("pagehide", () => keep(key, area.value));
  document.addEventListener("submit", () => { clearTimeout(remotely); });
})();

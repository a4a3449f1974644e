// Copy what stands in a text area; without this, it is selected and copied by hand.
(() => {
  const line = document.getElementById("copy-says");
  const say = (sentence) => { line.textContent = sentence; line.hidden = false; };

  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const area = document.getElementById(button.dataset.copy);
      area.select();
      try {
        await navigator.clipboard.writeText(area.value);
        say(line.dataset.saysCopied);
      } catch {
        say(line.dataset.saysSelect);
      }
    });
  }
})();

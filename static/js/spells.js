// Lights up the boards that the chosen spell reaches from where one stands, or from where one goes if the move comes first.
// Without this script the ranges stand beside the spells.
(() => {
  const form = document.getElementById("turn-form");
  const frame = document.querySelector("[data-my-zone]");
  if (!form || !frame) return;
  const boards = frame.querySelectorAll("[data-zone]");
  const checked = (name) => form.querySelector(`input[name="${name}"]:checked`);

  const source = () => {
    const move = checked("move");
    const sequence = checked("sequence");
    const first = sequence && sequence.value.indexOf("move") < sequence.value.indexOf("cast");
    return Number(first && move && move.value ? move.value : frame.dataset.myZone);
  };

  const light = () => {
    const spell = checked("cast");
    const range = spell && spell.dataset.range;
    for (const board of boards) {
      const reached = range && Math.abs(Number(board.dataset.zone) - source()) <= Number(range);
      board.classList.toggle("is-in-reach", Boolean(reached));
    }
  };

  form.addEventListener("change", light);
  light();
})();

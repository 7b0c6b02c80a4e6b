// Questions to the layout that is shown: how another one differs, and which lanes of an access meet in a bank.
class Beside {
  constructor(machine, on_change) {
    Object.assign(this, { machine, on_change });
    this.sheet = new Sheet(document.querySelector('.view[data-view="other"]'),
      (...window) => machine.view(2, "other", ...window, 0, "banks", 0), () => {});
    this.sheet.section.hidden = true;
    for (const id of ["other", "access", "width"]) {
      by_id(id).addEventListener("input", () => {
        timed(() => this.draw());
        on_change();
      });
    }
    by_id("beside").addEventListener("submit", (event) => event.preventDefault());
  }

  draw() {
    this.compare(by_id("other").value.trim());
    this.meet(by_id("access").value.trim());
  }

  compare(expression) {
    const answer = expression ? this.machine.compare(expression) : {};
    this.sheet.section.hidden = !expression || Boolean(answer.problem);
    by_id("compared").innerHTML = expression ? compared_said(answer) : "";
    if (!this.sheet.section.hidden) this.sheet.draw(by_id("labels").value);
  }

  meet(expression) {
    const answer = expression ? this.machine.access(expression, Number(by_id("width").value)) : {};
    by_id("accessed").innerHTML = expression ? accessed_said(answer, Number(by_id("width").value)) : "";
  }
}

const problem_said = (answer) => `<pre>${escaped(answer.explained ?? answer.problem)}</pre>`;

const compared_said = (answer) => {
  if (answer.problem) return problem_said(answer);
  const { size, other_size, looked_at, differ, first, here, there } = answer;
  const sizes = size === other_size ? "" : ` The one above has ${size} elements, this one ${other_size}.`;
  const part = looked_at < Math.min(size, other_size) ? ` (The first ${looked_at} were looked at.)` : "";
  const said = differ ? `${differ} of ${looked_at} differ, index ${first} first: ${here} above, ${there} here.`
    : `No offset of ${looked_at} differs.`;
  return `<p class="result">${escaped(answer.text)}</p><p>${said}${sizes}${part}</p>`;
};

const accessed_said = (answer, width) => {
  if (answer.problem) return problem_said(answer);
  const { degree, bank, pass, together, lanes } = answer;
  const passes = Math.ceil(lanes.length / together);
  const where = degree > 1 ? ` (first in bank ${bank}${passes > 1 ? `, pass ${pass}` : ""})` : "";
  const said = degree > 1 ? `${degree} words meet in one bank${where}: a pass takes ${degree} times as long.`
    : "No two words meet in a bank.";
  const rows = lanes.map((lane, number) => `<tr><td>${number}<td>${Math.floor(number / together)}<td>${lane.index}` +
    `<td>${lane.byte}<td class="g${Math.floor(lane.bank / 4)}">${lane.bank}` +
    `${width > 4 ? ` to ${lane.bank + width / 4 - 1}` : ""}`);
  const heads = ["Lane", "Pass", "Element", "Byte", width > 4 ? "Banks" : "Bank"].map((head) => `<th>${head}`);
  return `<p>${said}</p><details><summary>${lanes.length} lanes, ${together} in a pass</summary>
    <div class="scroll"><table><thead><tr>${heads.join("")}<tbody>${rows.join("")}</table></div></details>`;
};

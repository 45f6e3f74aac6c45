/** The options: where Lycosa is, and the key that shows it who asks. */
import { ask, keepKey, local, remember, settings, theKey } from "./lycosa.js";

const at = (id) => document.getElementById(id);
const [kept, paired] = await Promise.all([settings(), theKey()]);
at("address").value = kept.address;
at("dwell").value = kept.dwell;
at("key").value = paired;
point(kept.address);
at("address").addEventListener("input", () => point(at("address").value));

at("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    const address = local(at("address").value.trim());
    const key = at("key").value.trim();
    const dwell = Math.min(120, Math.max(1, Math.round(Number(at("dwell").value) || 6)));
    const { on } = await ask("GET", "state", undefined, { address, key });
    await keepKey(key);
    await remember({ address, dwell, on });
    say(`Connected. The companion is switched ${on ? "on" : "off"}; the switch is in the side panel.`);
  } catch (trouble) {
    say(trouble.fix ? `${trouble.message}: ${trouble.fix}.` : `${trouble.message}.`, "bad");
  }
});

// Only now: nothing that is written here may be overwritten, and the button does what it says.
at("fields").disabled = false;

function say(text, kind = "") {
  at("says").className = kind;
  at("says").textContent = text;
}

function point(address) {
  try {
    at("page").href = `${local(address)}/companion`;
  } catch {
    at("page").removeAttribute("href");
  }
}

// All keys that work right now, from the one registry.
import { Fragment } from "react";
import { keyText, useRegisteredKeys } from "../lib/hotkeys.ts";
import { Sheet } from "../ui/Sheet.tsx";
import { overlay } from "./overlays.ts";
import "./key-sheet.css";

export function KeySheet() {
  const keys = useRegisteredKeys();
  const groups = new Map<string, Map<string, string[]>>();
  for (const hotkey of keys) {
    const group = groups.get(hotkey.group) ?? new Map<string, string[]>();
    groups.set(hotkey.group, group);
    const names = group.get(hotkey.label) ?? [];
    group.set(hotkey.label, names.includes(hotkey.keys) ? names : [...names, hotkey.keys]);
  }
  return (
    <Sheet title="Keys" broad close={() => overlay.set(null)}>
      <div className="keys">
        {[...groups].map(([group, labels]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {[...labels].map(([label, names]) => (
                <Fragment key={label}>
                  <dt>
                    {names.map((name) => (
                      <kbd key={name}>{keyText(name)}</kbd>
                    ))}
                  </dt>
                  <dd>{label}</dd>
                </Fragment>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Sheet>
  );
}

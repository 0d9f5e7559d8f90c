// The places that a phone's bar has no room for.
import { Link } from "wouter";
import { Sheet } from "../ui/Sheet.tsx";
import { openKeys, overlay } from "./overlays.ts";
import { PLACES, SHORT } from "./places.ts";

export function MoreSheet() {
  const close = () => overlay.set(null);
  return (
    <Sheet title="More" close={close}>
      <ul style={{ margin: "8px -8px 0" }}>
        {PLACES.map((place) =>
          place === null || SHORT.includes(place.name) ? null : (
            <li key={place.name}>
              <Link className="row" href={place.href} onClick={close} style={{ paddingInline: 8 }}>
                <span className="t">{place.name}</span>
              </Link>
            </li>
          ),
        )}
        <li className="wide-only">
          <button type="button" className="row" onClick={openKeys}>
            Keys
          </button>
        </li>
      </ul>
    </Sheet>
  );
}

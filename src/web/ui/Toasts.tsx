// Toasts: bottom left of the page, one at a time, a sentence and what can be done about it, six seconds.
import { Toaster, toast } from "sonner";

/** Milliseconds that a toast stays; longer while it is hovered or focused. */
const TOAST_MS = 6_000;

export function Toasts() {
  return (
    <Toaster
      position="bottom-left"
      visibleToasts={1}
      gap={8}
      offset={{ bottom: 24, left: "var(--page-start)" }}
      mobileOffset={{ bottom: 72, left: 16, right: 16 }}
      containerAriaLabel="What just happened"
    />
  );
}

interface Doing {
  label: string;
  run: () => void;
}

function show(text: string, grave: boolean, doing?: Doing, key?: string): void {
  toast.custom(
    (id) => (
      <div className="toast" role={grave ? "alert" : "status"}>
        <span>{text}</span>
        {doing ? (
          <button
            type="button"
            className="act strong"
            onClick={() => {
              toast.dismiss(id);
              doing.run();
            }}
          >
            {doing.label}
          </button>
        ) : null}
        {key ? <span className="meta wide-only">{key}</span> : null}
      </div>
    ),
    { duration: TOAST_MS, unstyled: true },
  );
}

/** Says what happened. */
export function say(text: string, doing?: Doing, key?: string): void {
  show(text, false, doing, key);
}

/** Says what did not happen and why. */
export function warn(text: string, doing?: Doing): void {
  show(text, true, doing);
}

// The scope of a conversation: where what it learns applies, and which scoped lines it may read.
import { useState } from "react";
import { Popover } from "radix-ui";

export function ScopePicker({ scope, set }: { scope: string | null; set: (scope: string | null) => void }) {
  const [open, setOpen] = useState(false);
  const [value, setValue] = useState(scope ?? "");
  const clean = value.trim().toLowerCase().replace(/\s+/g, "-");
  const wrong = clean !== "" && !/^[a-z0-9-]{1,60}$/.test(clean);
  return (
    <Popover.Root
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        setValue(scope ?? "");
      }}
    >
      <Popover.Trigger asChild>
        <button type="button" className="act">
          Scope: {scope ?? "none"}
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="pop"
          align="start"
          side="top"
          sideOffset={8}
          collisionPadding={12}
          aria-label="Scope of this conversation"
        >
          {/* React bubbles events of a portal to its parent in the tree: without this, Enter would also send the message. */}
          <form
            onSubmit={(event) => {
              event.preventDefault();
              event.stopPropagation();
              if (wrong) return;
              set(clean === "" ? null : clean);
              setOpen(false);
            }}
          >
            <label>
              Lines learned here apply only there, such as “work” or “garden”. Empty: everywhere.
              <input
                className="field"
                value={value}
                onChange={(event) => setValue(event.target.value)}
                aria-invalid={wrong}
                autoComplete="off"
              />
            </label>
            {wrong ? <p className="meta over">Letters a to z, digits and hyphens.</p> : null}
            <p className="acts">
              <button type="submit" className="act strong">
                Set the scope
              </button>
              {scope ? (
                <button
                  type="button"
                  className="act"
                  onClick={() => {
                    set(null);
                    setOpen(false);
                  }}
                >
                  No scope
                </button>
              ) : null}
            </p>
          </form>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

// A dialog over a veil. Used for forgetting, erasing, reverting much, leaving, and for sheets like the keys.
import type { ReactNode } from "react";
import { Dialog } from "radix-ui";

export function Sheet({
  title,
  said,
  broad,
  close,
  children,
}: {
  title: string;
  said?: string;
  broad?: boolean;
  close: () => void;
  children: ReactNode;
}) {
  return (
    <Dialog.Root open onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Overlay className="veil" />
        <Dialog.Content className={broad ? "dialog broad" : "dialog"} aria-describedby={undefined}>
          <Dialog.Title dir="auto">{title}</Dialog.Title>
          {said ? <p className="meta said">{said}</p> : null}
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

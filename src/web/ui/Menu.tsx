// A menu behind a button: radix's behaviour, the app's words.
import type { ReactNode } from "react";
import { DropdownMenu } from "radix-ui";
import { Ellipsis } from "lucide-react";
import { Icon } from "./Icon.tsx";

export interface MenuItem {
  label: string;
  key?: string;
  run: () => void;
  disabled?: boolean;
}

export function Menu({
  label,
  items,
  trigger,
  className,
  onOpenChange,
}: {
  label: string;
  items: (MenuItem | null)[];
  trigger?: ReactNode;
  className?: string;
  onOpenChange?: (open: boolean) => void;
}) {
  return (
    <DropdownMenu.Root {...(onOpenChange ? { onOpenChange } : {})} modal={false}>
      <DropdownMenu.Trigger asChild>
        {trigger ?? (
          <button type="button" className={className ? `icon ${className}` : "icon"} aria-label={label}>
            <Icon of={Ellipsis} />
          </button>
        )}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={4} collisionPadding={12} aria-label={label}>
          {items.map((item, at) =>
            item === null ? (
              <DropdownMenu.Separator key={at} />
            ) : (
              <DropdownMenu.Item key={item.label} disabled={item.disabled ?? false} onSelect={item.run}>
                {item.label}
                {item.key ? <kbd>{item.key}</kbd> : null}
              </DropdownMenu.Item>
            ),
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

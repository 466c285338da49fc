import { Combobox } from '@base-ui/react/combobox'
import { ChevronsUpDown } from 'lucide-react'
import { useId, useMemo } from 'react'

export interface Pickable {
  readonly value: string
  readonly name: string
  /** What tells it from others with a similar name. */
  readonly detail?: string
}

/** Both lines of an option; the name comes first and has the room, whatever the length of the detail. */
const OptionLines = ({ name, detail }: Pickable) => (
  <>
    <span className="min-w-0 break-words">{name}</span>
    {detail ? <span className="min-w-0 truncate text-xs text-soft">{detail}</span> : null}
  </>
)

const Popup = ({ label }: { label: string }) => (
  <Combobox.Portal>
    <Combobox.Positioner sideOffset={4} className="z-50 outline-none">
      <Combobox.Popup className="float w-[var(--anchor-width)] overflow-hidden">
        <Combobox.Empty>
          <p className="px-3 py-2 text-sm text-soft">No matches.</p>
        </Combobox.Empty>
        <Combobox.List
          aria-label={`Options: ${label}`}
          className="max-h-[min(16rem,var(--available-height))] overflow-auto p-1 outline-none data-empty:p-0"
        >
          {(option: Pickable) => (
            <Combobox.Item
              key={option.value}
              value={option}
              className="grid rounded-md px-2.5 py-1.5 text-sm outline-none data-highlighted:bg-wash data-selected:font-medium"
            >
              <OptionLines {...option} />
            </Combobox.Item>
          )}
        </Combobox.List>
      </Combobox.Popup>
    </Combobox.Positioner>
  </Combobox.Portal>
)

/**
 * One of many, found by typing: arrow keys move, Enter chooses, Escape keeps what was chosen before. With `onSearch` the
 * owner brings the options that match; without it they are filtered here.
 */
export const Picker = ({
  label,
  value,
  options,
  onChoose,
  onSearch,
  placeholder,
  disabled = false,
}: {
  label: string
  /** The chosen value; "" without a choice. */
  value: string
  options: readonly Pickable[]
  onChoose: (value: string) => void
  onSearch?: (text: string) => void
  placeholder?: string
  disabled?: boolean
}) => {
  const id = useId()
  // What was chosen may be on no page of the options: it is shown by its value then.
  const chosen = useMemo<Pickable | null>(
    () => (value === '' ? null : (options.find((it) => it.value === value) ?? { value, name: value })),
    [options, value],
  )
  return (
    <Combobox.Root
      items={options}
      value={chosen}
      disabled={disabled}
      autoHighlight
      {...(onSearch ? { filter: null } : {})}
      itemToStringLabel={(it: Pickable) => it.name}
      isItemEqualToValue={(a: Pickable, b: Pickable) => a.value === b.value}
      filter={
        onSearch
          ? null
          : (it: Pickable, text: string) =>
              `${it.name} ${it.value} ${it.detail ?? ''}`.toLowerCase().includes(text.toLowerCase())
      }
      onValueChange={(next: Pickable | null) => {
        if (next !== null && next.value !== value) onChoose(next.value)
      }}
      onInputValueChange={(text, { reason }) => {
        if (reason === 'input-change') onSearch?.(text)
      }}
      onOpenChange={(open) => {
        if (open) onSearch?.('')
      }}
    >
      <div className="grid min-w-0 gap-1">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        <Combobox.InputGroup className="relative min-w-0">
          <Combobox.Input id={id} spellCheck={false} placeholder={placeholder} className="field pr-8 text-ellipsis" />
          <ChevronsUpDown
            size={15}
            aria-hidden="true"
            className="pointer-events-none absolute top-2.5 right-2.5 text-soft"
          />
        </Combobox.InputGroup>
      </div>
      <Popup label={label} />
    </Combobox.Root>
  )
}

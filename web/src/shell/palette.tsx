import { Dialog } from '@base-ui/react/dialog'
import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { later } from '../parts/later.tsx'

const Destinations = later('the destinations', async () => (await import('./palette-list.tsx')).Destinations)

/** The field is there at once, so that no letter is lost while the list is fetched for the first time. */
const Search = ({ onDone }: { onDone: () => void }) => {
  const [text, setText] = useState('')
  const [active, setActive] = useState<number | null>(null)
  const keys = useRef<(event: KeyboardEvent) => void>(() => {})
  const list = useId()
  const field = useRef<HTMLInputElement>(null)
  // The dialog moves the focus a moment later: letters typed until then would be lost.
  useLayoutEffect(() => field.current?.focus(), [])
  return (
    <>
      <input
        ref={field}
        className="w-full border-b bg-float px-4 py-3 -outline-offset-2"
        role="combobox"
        aria-label="Go to an operation, schema, project, person, page or action"
        aria-expanded="true"
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={active === null ? undefined : `${list}-${active}`}
        placeholder="Go to an operation, schema, project, person, page or action"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => keys.current(event)}
      />
      <Destinations list={list} text={text} keys={keys} onActive={setActive} onDone={onDone} />
    </>
  )
}

/** The command palette: Ctrl K or ⌘ K, type, Enter. */
export const Palette = ({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) => (
  <Dialog.Root open={open} onOpenChange={onOpenChange}>
    <Dialog.Portal>
      <Dialog.Backdrop className="fixed inset-0 z-40 bg-shade" />
      <Dialog.Popup className="float fixed top-[8vh] left-1/2 z-50 w-[min(36rem,calc(100vw-1rem))] -translate-x-1/2 overflow-hidden sm:top-[12vh]">
        <Dialog.Title className="sr-only">Go to</Dialog.Title>
        <Search onDone={() => onOpenChange(false)} />
      </Dialog.Popup>
    </Dialog.Portal>
  </Dialog.Root>
)

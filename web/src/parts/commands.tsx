import { Terminal } from 'lucide-react'
import { createContext, type ReactNode, type RefObject, useContext, useLayoutEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { CopyButton } from './copy.tsx'
import { Window } from './dialog.tsx'

/** Adds a command to those of the page; the function that it returns takes it away again. */
type Offer = (command: string) => () => void

const Offered = createContext<Offer>(() => () => {})

/** A command line with a button that copies it. */
export const Command = ({ command }: { command: string }) => (
  <div className="flex w-full min-w-0 items-center gap-2 rounded-lg bg-raised py-1 pr-1 pl-3 text-xs">
    <span className="text-soft" aria-hidden="true">
      $
    </span>
    <code className="min-w-0 grow font-mono wrap-anywhere" aria-label={`Command: ${command}`}>
      {command}
    </code>
    <CopyButton text={command} what="the command" />
  </div>
)

/** The command that does the same as this part of the page: listed behind the button in the header of the page, drawn nowhere else. */
export const CommandHint = ({ command }: { command: string }): null => {
  const offer = useContext(Offered)
  useLayoutEffect(() => offer(command), [offer, command])
  return null
}

const CommandsButton = ({ onClick, ref }: { onClick: () => void; ref: RefObject<HTMLButtonElement | null> }) => (
  <button
    ref={ref}
    type="button"
    aria-label="Command line"
    aria-haspopup="dialog"
    title="Command line"
    onClick={onClick}
    className="inline-flex size-9 shrink-0 items-center justify-center rounded-lg text-soft hover:bg-raised hover:text-ink print:hidden"
  >
    <Terminal size={17} aria-hidden="true" />
  </button>
)

const CommandsWindow = ({
  commands,
  open,
  onClose,
  button,
}: {
  commands: readonly string[]
  open: boolean
  onClose: () => void
  button: RefObject<HTMLButtonElement | null>
}) => (
  <Window open={open} onClose={onClose} title="Command line" returnTo={button}>
    <p className="text-sm text-soft">
      {commands.length === 1 ? 'This command does' : 'These commands do'} the same as this page.
    </p>
    <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {commands.map((it) => (
        <li key={it}>
          <Command command={it} />
        </li>
      ))}
    </ul>
    <div className="flex justify-end">
      <Button onClick={onClose}>Close</Button>
    </div>
  </Window>
)

/**
 * What a page is inside, so that the hints in it reach its header. The function gets the button for the header; none where the page has no
 * commands. The window of the button is here, so that it stays open when the button moves as the width of the window changes.
 */
export const CommandsOfPage = ({ children }: { children: (button: ReactNode) => ReactNode }) => {
  const [commands, setCommands] = useState<readonly string[]>([])
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const [offer] = useState<Offer>(() => (command: string) => {
    setCommands((before) => [...before, command])
    return () => setCommands((before) => before.toSpliced(before.indexOf(command), 1))
  })
  const hasCommands = commands.length > 0
  return (
    <Offered value={offer}>
      {children(hasCommands ? <CommandsButton ref={button} onClick={() => setOpen(true)} /> : null)}
      {hasCommands ? (
        <CommandsWindow
          commands={[...new Set(commands)]}
          open={isOpen}
          button={button}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </Offered>
  )
}

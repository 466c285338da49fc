import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { useChange } from './form.tsx'
import { Failure } from './states.tsx'

/** Whether something was copied a moment ago, and what says that it was. */
const useCopied = (): readonly [boolean, (copied: boolean) => void] => {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])
  return [copied, setCopied]
}

/** A button with a name that fetches a text and puts it on the clipboard. */
export const CopyLater = ({ name, read }: { name: string; read: () => Promise<string> }) => {
  const [copied, setCopied] = useCopied()
  const change = useChange(async () => {
    // Some browsers take only what is promised within the press itself.
    const text = read()
    const blob = text.then((it) => new Blob([it], { type: 'text/plain' }))
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
    setCopied(true)
  })
  const Mark = copied ? Check : Copy
  return (
    <>
      <Button busy={change.busy} onClick={() => void change.run()}>
        <Mark size={15} aria-hidden="true" />
        {copied ? 'Copied' : name}
      </Button>
      {change.error ? <Failure error={change.error} /> : null}
    </>
  )
}

/** A button that puts a text on the clipboard and says that it did. */
export const CopyButton = ({ text, what }: { text: string; what: string }) => {
  const [copied, setCopied] = useCopied()
  return (
    <button
      type="button"
      className="inline-flex size-7 shrink-0 items-center justify-center rounded-md text-soft hover:bg-raised hover:text-ink"
      aria-label={copied ? 'Copied' : `Copy ${what}`}
      title={copied ? 'Copied' : `Copy ${what}`}
      onClick={() => {
        void navigator.clipboard.writeText(text).then(() => setCopied(true))
      }}
    >
      {copied ? <Check size={15} aria-hidden="true" /> : <Copy size={15} aria-hidden="true" />}
    </button>
  )
}

/** The command that does what this list does: the same call, from a shell. */
export const CommandHint = ({ command }: { command: string }) => (
  <div className="flex w-fit max-w-full min-w-0 items-center gap-2 rounded-lg border bg-surface py-1 pr-1 pl-3 text-xs">
    <span className="text-soft" aria-hidden="true">
      $
    </span>
    <code className="min-w-0 font-mono break-all" aria-label={`Command: ${command}`}>
      {command}
    </code>
    <CopyButton text={command} what="the command" />
  </div>
)

/** A value as one word of a shell command: quoted only where the shell would take it apart. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/** A command line of svc in a tenant. Options stand as pairs and are left out where their value is empty. */
export const svcCommand = (tenant: string, words: readonly string[], options: Record<string, string> = {}): string =>
  [
    'svc',
    '--tenant',
    tenant,
    ...words,
    ...Object.entries(options).flatMap(([name, value]) => (value === '' ? [] : [`--${name}`, value])),
  ]
    .map(shellWord)
    .join(' ')

/** A text of several lines to take away, with a button that copies it. */
export const Snippet = ({ text, what }: { text: string; what: string }) => (
  <div className="flex items-start gap-2 rounded-lg bg-raised p-3">
    <pre className="min-w-0 grow font-mono text-xs break-all whitespace-pre-wrap">{text}</pre>
    <CopyButton text={text} what={what} />
  </div>
)

import { useMutation } from '@tanstack/react-query'
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { copyLater, copyText } from './copy-text.ts'
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

/** A button with a name that fetches a text and copies it. */
export const CopyLater = ({ name, read }: { name: string; read: () => Promise<string> }) => {
  const [copied, setCopied] = useCopied()
  const copy = useMutation({ mutationFn: () => copyLater(read), onSuccess: () => setCopied(true) })
  const Mark = copied ? Check : Copy
  return (
    <>
      <Button busy={copy.isPending} onClick={() => copy.mutate()}>
        <Mark size={15} aria-hidden="true" />
        {copied ? 'Copied' : name}
      </Button>
      {copy.error ? <Failure error={copy.error} /> : null}
    </>
  )
}

/** A button that copies a text and confirms it, or says why it cannot. */
export const CopyButton = ({ text, what }: { text: string; what: string }) => {
  const [copied, setCopied] = useCopied()
  const copy = useMutation({ mutationFn: () => copyText(text), onSuccess: () => setCopied(true) })
  const name = copied ? 'Copied' : `Copy ${what}`
  return (
    <>
      <button
        type="button"
        className="inline-flex size-7 shrink-0 items-center justify-center rounded-md text-soft hover:bg-raised hover:text-ink print:hidden"
        aria-label={name}
        title={name}
        onClick={() => copy.mutate()}
      >
        {copied ? <Check size={15} aria-hidden="true" /> : <Copy size={15} aria-hidden="true" />}
      </button>
      {copy.error ? (
        <span role="alert" className="text-xs text-danger">
          {copy.error.message}
        </span>
      ) : null}
    </>
  )
}

/** A value as one word of a shell command: quoted only where the shell would take it apart. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/** A command line of svc in an organization. Options are names with values; those with an empty value are left out. */
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
    <pre className="min-w-0 grow self-center font-mono text-xs break-all whitespace-pre-wrap">{text}</pre>
    <CopyButton text={text} what={what} />
  </div>
)

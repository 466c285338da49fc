import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useAddress } from './address.ts'
import { Button } from './button.tsx'
import { Choices } from './choices.tsx'
import { CopyButton, Snippet } from './copy.tsx'
import { Window } from './dialog.tsx'
import { CheckField } from './form.tsx'
import { agentHostConfig, agentHosts } from '../../../src/api/agent-hosts.ts'

/** What was just made in a dialog: showing it closes the dialog, and it is forgotten when it was stored. */
export const useCreatedSecret = <T,>() => {
  const { close } = useAddress()
  const [made, setMade] = useState<T | null>(null)
  const show = (record: T): void => {
    setMade(record)
    close()
  }
  return { made, show, forget: (): void => setMade(null) }
}

/** Ready-made ways to use what was just made, one of them shown. */
export const UsageSnippets = ({ uses }: { uses: Readonly<Record<string, string>> }) => {
  const names = Object.keys(uses)
  const [use, setUse] = useState(names[0] ?? '')
  return (
    <div className="grid gap-2">
      <Choices
        label="Use it in"
        value={use}
        onChange={(next) => setUse(next ?? use)}
        choices={names.map((name) => ({ value: name, name }))}
      />
      <Snippet text={uses[use] ?? ''} what="the snippet" />
    </div>
  )
}

interface Kept {
  /** What the secret is called. */
  readonly what?: string
  /** What the service keeps of it. */
  readonly kept?: string
}

const Shown = ({
  secret,
  what = 'key',
  kept = 'The service stores only a digest of it.',
  children,
  onClose,
}: Kept & { secret: string; children?: ReactNode; onClose: () => void }) => {
  const [stored, setStored] = useState(false)
  // Neither Back nor a closed tab may discard a key that has not been stored.
  useBlocker({
    shouldBlockFn: ({ current, next }) => !stored && current.pathname !== next.pathname,
    enableBeforeUnload: () => !stored,
  })
  return (
    <>
      <p className="text-soft">
        The {what} is shown only once. {kept}
      </p>
      <div className="flex items-center gap-2 rounded-lg border border-accent bg-wash p-3">
        <code className="min-w-0 grow font-mono text-sm break-all whitespace-pre-line" aria-label={`The ${what}`}>
          {secret}
        </code>
        <CopyButton text={secret} what={`the ${what}`} />
      </div>
      {children}
      <CheckField checked={stored} onChange={setStored}>
        I have stored the {what}
      </CheckField>
      <div className="flex flex-wrap items-center gap-3">
        <Button look="primary" disabled={!stored} onClick={onClose}>
          Done
        </Button>
        {stored ? null : <span className="text-sm text-soft">Confirm to close this window.</span>}
      </div>
    </>
  )
}

/** A key just made. The window does not close before its reader says that the key is stored. */
export const SecretWindow = ({
  title,
  secret,
  onClose,
  children,
  ...kept
}: Kept & {
  title: string
  /** Null closes the window. */
  secret: string | null
  onClose: () => void
  children?: ReactNode
}) => (
  <Window open={secret !== null} onClose={() => {}} title={title}>
    {secret === null ? null : (
      <Shown secret={secret} onClose={onClose} {...kept}>
        {children}
      </Shown>
    )}
  </Window>
)

const names = { claude: 'Claude', cursor: 'Cursor', vscode: 'VS Code', codex: 'Codex' } as const

/** The configuration of each agent host, with the key filled in: shown only once. */
const uses = (key: string): Record<string, string> =>
  Object.fromEntries(
    agentHosts.map((host) => [
      names[host],
      agentHostConfig(host, { kind: 'http', url: `${location.origin}/mcp` }, key).text.trimEnd(),
    ]),
  )

/** A new key for an agent, with the configuration of its host. */
export const AgentSecret = ({
  record,
  onClose,
}: {
  record: { readonly label: string; readonly key?: string | undefined } | null
  onClose: () => void
}) => (
  <SecretWindow title={record ? `Key "${record.label}"` : 'Key'} secret={record?.key ?? null} onClose={onClose}>
    <p className="text-soft">
      Add this configuration to the agent host. It contains the key: keep the file private, or move the key to the
      environment variable <code className="font-mono text-sm">SVC_MCP_API_KEY</code>.
    </p>
    <UsageSnippets uses={uses(record?.key ?? '')} />
  </SecretWindow>
)

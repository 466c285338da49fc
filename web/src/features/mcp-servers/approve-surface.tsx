import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { mcpServersApi } from '../../../../src/api/mcp-servers.ts'
import { call } from '../../call.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { DecideBar } from '../../parts/decide-bar.tsx'
import { Window } from '../../parts/dialog.tsx'
import { Form, TextField, useForm } from '../../parts/form.tsx'
import { Failure } from '../../parts/states.tsx'
import { refreshServers, serverParams, type ServerRef } from './queries.ts'
import { shortPrint } from './words.ts'

interface Given {
  readonly at: ServerRef
  readonly fingerprint: string
}

async function approve({ at, fingerprint }: Given, note: string | null): Promise<void> {
  await call(mcpServersApi.approve, { params: serverParams(at), body: { fingerprint, note } })
  await refreshServers(at.tenant)
}

const NoteForm = ({ given, onDone }: { given: Given; onDone: () => void }) => {
  const form = useForm({ note: '' }, async ({ note }) => {
    await approve(given, note.trim() || null)
    onDone()
  })
  return (
    <Form change={form} submit="Approve this surface" onCancel={onDone}>
      <TextField label="Note (optional)" autoFocus {...form.bind('note')} />
    </Form>
  )
}

/** Approves the very surface that the page shows, once each tool that it adds was ticked. */
export const ApproveSurface = ({
  at,
  fingerprint,
  risks,
  added,
  read,
  offers,
}: Given & {
  /** How many parts of it may do harm, and how many deserve a second look. */
  risks: { readonly high: number; readonly raised: number }
  /** The tools that it adds; undefined until they are known. */
  added: readonly string[] | undefined
  /** Those of them that were ticked. */
  read: ReadonlySet<string>
  /** What the surface offers, as in "2 tools, 1 resource". */
  offers: string
}) => {
  const [isNoting, setNoting] = useState(false)
  const given = { at, fingerprint }
  const change = useMutation({ mutationFn: () => approve(given, null) })
  const done = (added ?? []).filter((name) => read.has(name)).length
  const isReady = added !== undefined && done === added.length
  const close = (): void => setNoting(false)
  return (
    <>
      {change.error ? <Failure error={change.error} /> : null}
      <DecideBar
        facts={
          <>
            {risks.high > 0 ? <Badge tone="danger">{risks.high.toLocaleString()} high risk</Badge> : null}
            {risks.raised > 0 ? <Badge tone="warn">{risks.raised.toLocaleString()} raised</Badge> : null}
            {added !== undefined && added.length > 0 ? (
              <span>
                {done.toLocaleString()} of {added.length.toLocaleString()} new tools read
              </span>
            ) : null}
            <span className="max-md:hidden">
              {offers}, <code className="font-mono text-xs">{shortPrint(fingerprint)}</code>
            </span>
          </>
        }
      >
        <Button disabled={!isReady} onClick={() => setNoting(true)}>
          Approve with a note …
        </Button>
        <Button disabled={!isReady} busy={change.isPending} onClick={() => change.mutate()}>
          Approve this surface
        </Button>
      </DecideBar>
      <Window open={isNoting} onClose={close} title="Approve this surface">
        <p className="text-sm text-soft">
          The registry lists the server with {offers} then. Any other surface is reported as drift.
        </p>
        <NoteForm given={given} onDone={close} />
      </Window>
    </>
  )
}

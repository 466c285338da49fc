import { useState } from 'react'
import type { McpEndpoint } from '../../../../src/api/mcp-server-shapes.ts'
import { mcpServersApi } from '../../../../src/api/mcp-servers.ts'
import { call } from '../../call.ts'
import { CheckField, Form, TextField, useForm } from '../../parts/form.tsx'
import { Section } from '../../parts/page.tsx'
import { refreshServers, serverParams, type ServerRef } from './queries.ts'
import { countsWords, shortPrint } from './words.ts'

/** Approves the very surface that the page shows, once each tool that it adds is ticked. */
export const ApproveSurface = ({
  at,
  endpoint,
  fingerprint,
  added,
}: {
  at: ServerRef
  endpoint: McpEndpoint
  fingerprint: string
  /** The tools that it adds; undefined until they are known. */
  added: readonly string[] | undefined
}) => {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const form = useForm({ note: '' }, async ({ note }) => {
    await call(mcpServersApi.approve, {
      params: serverParams(at),
      body: { fingerprint, note: note.trim() || null },
    })
    await refreshServers(at.tenant)
  })
  const tick = (name: string, isOn: boolean): void =>
    setTicked(new Set(isOn ? [...ticked, name] : [...ticked].filter((it) => it !== name)))
  return (
    <Section
      title="Approve"
      description={`Approves ${countsWords(endpoint.counts)} with the fingerprint ${shortPrint(fingerprint)}. The registry lists the server then; any other surface is reported as drift.`}
    >
      <div className="card p-4">
        <Form
          change={form}
          submit={`Approve ${shortPrint(fingerprint)}`}
          disabled={added === undefined || !added.every((name) => ticked.has(name))}
        >
          {added === undefined || added.length === 0 ? null : (
            <fieldset className="grid gap-1.5">
              <legend className="mb-1.5 text-sm font-medium">Tick each new tool that you looked at</legend>
              {added.map((name) => (
                <CheckField key={name} checked={ticked.has(name)} onChange={(isOn) => tick(name, isOn)}>
                  <code className="font-mono text-sm wrap-anywhere">{name}</code>
                </CheckField>
              ))}
            </fieldset>
          )}
          <TextField label="Note (optional)" {...form.bind('note')} />
        </Form>
      </div>
    </Section>
  )
}

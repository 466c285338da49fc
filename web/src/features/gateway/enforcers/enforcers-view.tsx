import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Enforcer, enforcersApi } from '../../../../../src/api/gateway-enforcers.ts'
import type { Output } from '../../../../../src/api/endpoint.ts'
import { type EngineKind, engineOfKind, engines, usualEngine } from '../../../../../src/gateway/door.ts'
import { call } from '../../../call.ts'
import { useAddress } from '../../../parts/address.ts'
import { Badge, type Tone } from '../../../parts/badge.tsx'
import { Button } from '../../../parts/button.tsx'
import { CommandHint } from '../../../parts/commands.tsx'
import { svcCommand } from '../../../parts/copy.tsx'
import { DangerConfirmation, Window } from '../../../parts/dialog.tsx'
import { Field, Form, RadioField, useForm } from '../../../parts/form.tsx'
import { List, Row } from '../../../parts/list.tsx'
import { Read } from '../../../parts/listing.tsx'
import { Menu, MenuItem, MenuLine } from '../../../parts/menu.tsx'
import { Moment, Section } from '../../../parts/page.tsx'
import { SecretWindow, UsageSnippets, useCreatedSecret } from '../../../parts/secret.tsx'
import { Empty } from '../../../parts/states.tsx'
import { holds, identityQuery } from '../../../session.ts'
import { type ApprovalAsked, ApprovalWanted, askedIn, type Choose } from '../approval-wanted.tsx'
import { type EnvironmentAt, environmentInput, keyOf, refreshEnvironments } from '../queries.ts'
import { agentUses } from './install.ts'

/** No environment has more gateways. */
const mostEnforcers = 20
/** A gateway is silent after two minutes: the page follows what gateways report. */
const followMs = 10_000

export const enforcersQuery = (at: EnvironmentAt) =>
  queryOptions({
    queryKey: keyOf(at.tenant, 'of', at.environment, 'enforcers'),
    queryFn: () => {
      const { params, query } = environmentInput(at)
      return call(enforcersApi.list, { params, query: { ...query, limit: mostEnforcers } })
    },
    refetchInterval: followMs,
  })

type Created = Output<typeof enforcersApi.create>

const tones: Readonly<Record<Enforcer['state'], Tone>> = {
  current: 'ok',
  behind: 'warn',
  failed: 'danger',
  silent: 'danger',
  'never-seen': 'plain',
}
const stateNames: Readonly<Record<Enforcer['state'], string>> = {
  current: 'up to date',
  behind: 'behind',
  failed: 'failed',
  silent: 'silent',
  'never-seen': 'never seen',
}
const stateWords: Readonly<Record<Enforcer['state'], string>> = {
  current: 'It uses the newest release.',
  behind: 'It uses an older release, or none yet.',
  failed: 'It could not use the newest release and keeps the one before.',
  silent: 'The agent has not reported for two minutes. The gateway keeps its last release.',
  'never-seen': 'Its agent was not started yet.',
}

/** What failed is first. */
const order: readonly Enforcer['state'][] = ['failed', 'silent', 'behind', 'never-seen', 'current']

const engineWords = ({ engine, version, crs }: Enforcer): string =>
  [engineOfKind(engine).title, version, crs === null ? null : `rule set ${crs}`].filter(Boolean).join(', ')

const EnforcerRow = ({ enforcer, onAsk }: { enforcer: Enforcer; onAsk: ((dialog: string) => void) | null }) => (
  <>
    <Row>
      <h3 className="truncate font-semibold">{enforcer.label}</h3>
      <span title={stateWords[enforcer.state]}>
        <Badge tone={tones[enforcer.state]}>{stateNames[enforcer.state]}</Badge>
      </span>
      <span className="truncate text-soft max-md:w-full" title={engineWords(enforcer)}>
        {engineWords(enforcer)}
      </span>
      <code className="truncate font-mono text-xs">{enforcer.activeReleaseId ?? 'no release'}</code>
      <span className="truncate text-soft">
        <code className="font-mono text-xs">{enforcer.keyPrefix}…</code>
        {enforcer.rotatedAt === null ? null : (
          <>
            {' '}
            replaced <Moment at={enforcer.rotatedAt} />
          </>
        )}
      </span>
      <span className="text-soft">{enforcer.lastSeenAt === null ? 'never' : <Moment at={enforcer.lastSeenAt} />}</span>
      <span className="flex justify-end max-md:absolute max-md:top-1 max-md:right-2">
        {onAsk ? (
          <Menu align="end" label={<span className="sr-only">More: {enforcer.label}</span>}>
            <MenuItem onClick={() => onAsk('rotate')}>Replace the key …</MenuItem>
            <MenuLine />
            <MenuItem onClick={() => onAsk('remove')}>Remove …</MenuItem>
          </Menu>
        ) : null}
      </span>
    </Row>
    {enforcer.lastError === null && enforcer.state !== 'failed' && enforcer.state !== 'silent' ? null : (
      <li className="grid grid-cols-[minmax(0,1fr)] gap-1 px-4 py-2 text-sm">
        <p className="text-soft">
          {enforcer.label}: {stateWords[enforcer.state]}
        </p>
        {enforcer.lastError === null ? null : (
          <pre
            tabIndex={0}
            className="max-h-40 overflow-auto rounded-md bg-raised px-3 py-2 font-mono text-xs whitespace-pre-wrap wrap-anywhere"
          >
            {enforcer.lastError}
          </pre>
        )}
      </li>
    )}
  </>
)

const AddForm = ({
  at,
  onClose,
  onMade,
}: {
  at: EnvironmentAt
  onClose: () => void
  onMade: (made: Created) => void
}) => {
  const form = useForm<{ label: string; engine: EngineKind }>({ label: '', engine: usualEngine.kind }, async (body) => {
    onMade(await call(enforcersApi.create, { ...environmentInput(at), body }))
    await refreshEnvironments(at.tenant)
  })
  return (
    <Form change={form} submit="Add" onCancel={onClose}>
      <Field
        label="Name"
        required
        maxLength={100}
        hint="The machine or cluster, such as edge-1."
        {...form.bind('label')}
      />
      <RadioField
        legend="Gateway (cannot be changed later)"
        value={form.values.engine}
        options={engines.map(({ kind, title, note }) => ({ value: kind, name: title, detail: note }))}
        onChange={(engine) => form.set({ engine })}
      />
    </Form>
  )
}

/** A removal that waits for another person. */
interface Refused {
  readonly asked: ApprovalAsked
  readonly choose: Choose
}

/** Removing is risky: where changes need approval, it becomes a request, which `onRefused` gets. */
const Removal = ({
  at,
  of: enforcer,
  onRefused,
}: {
  at: EnvironmentAt
  of: Enforcer
  onRefused: (refused: Refused) => void
}) => {
  const { dialog, close } = useAddress()
  const input = environmentInput(at)
  const remove = (more: { applyWhenApproved?: boolean } = {}) =>
    call(enforcersApi.remove, {
      params: { ...input.params, enforcer_id: enforcer.id },
      query: { ...input.query, ...more },
    })
  return (
    <DangerConfirmation
      open={dialog === 'remove'}
      onClose={close}
      title={`Remove ${enforcer.label}?`}
      action="Remove"
      onConfirm={async () => {
        try {
          await remove()
        } catch (error) {
          const asked = askedIn(error)
          if (asked === null) throw error
          onRefused({ asked, choose: (applyWhenApproved) => remove({ applyWhenApproved }) })
        }
        await refreshEnvironments(at.tenant)
      }}
    >
      <p>
        Its key ends immediately. The gateway keeps the release that it has, gets no other and reports nothing any more.
        This cannot be undone.
      </p>
    </DangerConfirmation>
  )
}

const Rotation = ({
  at,
  of: enforcer,
  onMade,
}: {
  at: EnvironmentAt
  of: Enforcer
  onMade: (made: Created) => void
}) => {
  const { dialog, close } = useAddress()
  const input = environmentInput(at)
  return (
    <DangerConfirmation
      open={dialog === 'rotate'}
      onClose={close}
      title={`Replace the key of ${enforcer.label}?`}
      action="Replace the key"
      onConfirm={async () => {
        onMade(await call(enforcersApi.rotate, { ...input, params: { ...input.params, enforcer_id: enforcer.id } }))
        await refreshEnvironments(at.tenant)
      }}
    >
      <p>
        The old key ends immediately. Until its agent has the new one, the gateway keeps its release and reports
        nothing.
      </p>
    </DangerConfirmation>
  )
}

/** The gateways that follow the policy of an environment, with what each reports. */
export const EnforcersView = ({ at }: { at: EnvironmentAt }) => {
  const enforcers = useQuery(enforcersQuery(at))
  const identity = useQuery(identityQuery)
  const { dialog, item, open, close } = useAddress()
  const { made, show, forget } = useCreatedSecret<Created>()
  const [waiting, setRefused] = useState<Refused | null>(null)
  const may = holds(identity.data, at.tenant, 'security:edit')
  const asked = enforcers.data?.enforcers.find((it) => it.id === item)
  const add = may ? (
    <Button look="primary" onClick={() => open('add')}>
      Add a gateway …
    </Button>
  ) : null
  return (
    <Section
      title="Gateways"
      description="An agent beside each gateway fetches releases of the policy, verifies their signature and reports which one is in use."
      actions={add}
    >
      <CommandHint command={svcCommand(at.tenant, ['gateway', 'enforcer', 'list', at.environment])} />
      {waiting === null ? null : <ApprovalWanted at={at} {...waiting} onDone={() => setRefused(null)} />}
      <Read query={enforcers} what="the gateways">
        {(found) =>
          found.enforcers.length === 0 ? (
            <Empty title="No gateways yet">
              <p>Nothing enforces this policy until a gateway is added and its agent is started.</p>
            </Empty>
          ) : (
            <>
              <List
                label="Gateways"
                columns="minmax(0,1fr) 8rem minmax(0,1.4fr) minmax(0,1fr) minmax(0,1.2fr) 7rem 2.5rem"
                heads={['Gateway', 'State', 'Software', 'Release', 'Key', 'Last seen']}
              >
                {found.enforcers
                  .toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
                  .map((it) => (
                    <EnforcerRow key={it.id} enforcer={it} onAsk={may ? (what) => open(what, it.id) : null} />
                  ))}
              </List>
              {found.publicKey === null ? null : (
                <p className="text-sm text-soft">
                  Releases are signed. The public key is{' '}
                  <code className="font-mono text-xs wrap-anywhere">{found.publicKey}</code>.
                </p>
              )}
            </>
          )
        }
      </Read>
      <Window open={dialog === 'add' && may} onClose={close} title="Add a gateway">
        <AddForm at={at} onClose={close} onMade={show} />
      </Window>
      {asked && may ? (
        <>
          <Rotation at={at} of={asked} onMade={show} />
          <Removal at={at} of={asked} onRefused={setRefused} />
        </>
      ) : null}
      <SecretWindow title={made ? `Key of ${made.enforcer.label}` : 'Key'} secret={made?.key ?? null} onClose={forget}>
        {made ? (
          <>
            <p className="text-soft">Install svc beside the gateway and start the agent:</p>
            <UsageSnippets uses={agentUses(made.enforcer, made.key, made.publicKey, location.origin)} />
          </>
        ) : null}
      </SecretWindow>
    </Section>
  )
}

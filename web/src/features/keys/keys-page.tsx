import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useAddress } from '../../parts/address.ts'
import { Choices } from '../../parts/choices.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Page, Toolbar } from '../../parts/page.tsx'
import { SearchField } from '../../parts/fields.tsx'
import { NoPermission } from '../../parts/states.tsx'
import { Read } from '../../parts/listing.tsx'
import { holds, identityQuery } from '../../session.ts'
import { AgentKeys } from './agent-keys.tsx'
import { ApiKeys } from './api-keys.tsx'
import { ExpiringKeys } from './expiring-keys.tsx'
import { McpKeys } from './mcp-keys.tsx'
import { type KeyKind, keyKinds } from './queries.ts'
import { Trusts } from './trusts.tsx'

const names: Readonly<Record<KeyKind, string>> = {
  api: 'API keys',
  agent: 'Agent keys',
  mcp: 'MCP keys',
  trust: 'Pipelines',
}
const sections = { api: ApiKeys, agent: AgentKeys, mcp: McpKeys, trust: Trusts }
const commands: Readonly<Record<KeyKind, readonly string[]>> = {
  api: ['auth', 'whoami'],
  agent: ['agent-key', 'list'],
  mcp: ['mcp-key', 'list'],
  trust: ['trust', 'list'],
}

interface ShownKeys {
  readonly tenant: string
  /** Null for all kinds. */
  readonly kind: KeyKind | null
  readonly q: string
  readonly offset: number
}

/** A section for each kind of keys. */
const KeySections = ({ tenant, kinds, kind, q, offset }: ShownKeys & { kinds: readonly KeyKind[] }) => {
  const { filter } = useAddress()
  const navigate = useNavigate()
  return (
    <>
      {kinds
        .filter((it) => kind === null || it === kind)
        .map((section) => {
          const Of = sections[section]
          return (
            <Of
              key={section}
              shown={{ tenant, q, offset: kind === section ? offset : 0 }}
              onMove={(to) =>
                void navigate({
                  to: '/t/$tenant/-/keys',
                  params: { tenant },
                  search: { kind: section, ...(q === '' ? {} : { q }), ...(to === 0 ? {} : { offset: to }) },
                })
              }
              onClear={() => filter({ q: '' })}
            />
          )
        })}
    </>
  )
}

/** Every key of an organization by its kind; `kind` shows one of them alone. */
export const KeysPage = ({ tenant, kind, q, offset }: ShownKeys) => {
  const identity = useQuery(identityQuery)
  const { filter } = useAddress()
  const may: Readonly<Record<KeyKind, boolean>> = {
    api: holds(identity.data, tenant, 'api_keys:view'),
    agent: holds(identity.data, tenant, 'api_keys:view'),
    mcp: holds(identity.data, tenant, 'mcp:govern'),
    trust: holds(identity.data, tenant, 'api_keys:view'),
  }
  const kinds = keyKinds.filter((it) => may[it])
  return (
    <Page
      title="Keys"
      description="What programs, agents and agent hosts sign in with. Each key is shown once, when it is created."
    >
      <Read query={identity} what="your role">
        {() =>
          kinds.length === 0 ? (
            <NoPermission permission="api_keys:view" />
          ) : (
            <>
              <ExpiringKeys tenant={tenant} />
              <Toolbar>
                <div className="flex flex-wrap items-center gap-3">
                  <SearchField label="Search keys" value={q} onChange={(text) => filter({ q: text })} />
                  <Choices
                    label="Kind"
                    value={kind}
                    choices={kinds.map((it) => ({ value: it, name: names[it] }))}
                    onChange={(value) => filter({ kind: value ?? undefined })}
                  />
                </div>
                <CommandHint command={svcCommand(tenant, [...commands[kind ?? 'api']])} />
              </Toolbar>
              <KeySections tenant={tenant} kinds={kinds} kind={kind} q={q} offset={offset} />
              <p className="text-sm text-soft">
                API keys can only be managed here and on the machine that has the data. The keys of gateways are managed
                with the gateways of each environment, under{' '}
                <Link to="/t/$tenant/-/gateway" params={{ tenant }} className="link">
                  Gateways
                </Link>
                .
              </p>
            </>
          )
        }
      </Read>
    </Page>
  )
}

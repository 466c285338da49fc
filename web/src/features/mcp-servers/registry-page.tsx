import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Output } from '../../../../src/api/endpoint.ts'
import { mcpRegistryApi } from '../../../../src/api/mcp-registry.ts'
import { call } from '../../call.ts'
import { CommandHint } from '../../parts/commands.tsx'
import { Snippet, svcCommand } from '../../parts/copy.tsx'
import { count } from '../../parts/text.ts'
import { RadioField } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Failure, needs } from '../../parts/states.tsx'
import { Switch } from '../../parts/choices.tsx'
import { holds, identityQuery } from '../../session.ts'
import { refreshServers, registryQuery } from './queries.ts'

type Registry = Output<typeof mcpRegistryApi.get>

const audiences = [
  {
    value: 'anyone-with-link' as const,
    name: 'Anyone with the link',
    detail: 'Answers ask search engines and shared caches to keep nothing.',
  },
  { value: 'public' as const, name: 'Public', detail: 'Shared caches keep answers, a minute at most.' },
]

const Settings = ({ tenant, registry, may }: { tenant: string; registry: Registry; may: boolean }) => {
  const change = useMutation({
    mutationFn: (body: Partial<Pick<Registry, 'enabled' | 'audience'>>) =>
      call(mcpRegistryApi.set, { params: { tenant_slug: tenant }, body: { enabled: registry.enabled, ...body } }),
    onSuccess: () => refreshServers(tenant),
  })
  return (
    <>
      {change.error ? <Failure error={change.error} /> : null}
      <div className="card grid gap-4 p-4">
        <Switch
          label={registry.enabled ? 'Published' : 'Not published'}
          of="the registry"
          on={registry.enabled}
          disabled={!may || change.isPending}
          onChange={(enabled) => change.mutate({ enabled })}
        />
        {may ? (
          <RadioField
            legend="Access without credentials"
            value={registry.audience}
            options={audiences}
            onChange={(audience) => change.mutate({ audience })}
          />
        ) : (
          <p className="text-sm text-soft">{needs('mcp:govern', 'Changing the registry')}</p>
        )}
        <p className="text-sm text-soft">{count(registry.servers, 'approved server', 'approved servers')}</p>
      </div>
      {registry.enabled ? (
        <Section
          title="Address for agent hosts"
          description="GitHub Copilot, VS Code and other hosts accept the address of a private registry in the settings of an organization. They add /v0.1/servers themselves."
        >
          <Snippet text={new URL(registry.url, location.origin).href} what="the address of the registry" />
        </Section>
      ) : null}
    </>
  )
}

/** Whether the approved servers are published as a registry, and where. */
export const RegistryPage = ({ tenant }: { tenant: string }) => {
  const registry = useQuery(registryQuery(tenant))
  const identity = useQuery(identityQuery)
  const may = holds(identity.data, tenant, 'mcp:govern')
  return (
    <Page
      trail={
        <Link to="/t/$tenant/-/mcp-servers" params={{ tenant }} className="link">
          MCP servers
        </Link>
      }
      title="Registry of approved servers"
      description="The approved servers in the format of the official MCP registry. A server that drifted is not listed until it is approved again. Hosts that only allow servers of a registry compare names: they do not check what a server offers."
      actions={<CommandHint command={svcCommand(tenant, ['mcp-server', 'registry'])} />}
    >
      <Read query={registry} what="the registry">
        {(it) => <Settings tenant={tenant} registry={it} may={may} />}
      </Read>
    </Page>
  )
}

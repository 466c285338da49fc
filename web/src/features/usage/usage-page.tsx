import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  type QuotaName,
  quotaNames,
  type TenantInfo,
  type TenantLicense,
  tenantsApi,
} from '../../../../src/api/tenants.ts'
import { Badge } from '../../parts/badge.tsx'
import { bytesWords } from '../../parts/text.ts'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Read } from '../../parts/listing.tsx'
import { Notice } from '../../parts/states.tsx'
import { Facts, Moment, Page, Section } from '../../parts/page.tsx'
import { call } from '../../call.ts'

export const licenseQuery = (tenant: string) =>
  queryOptions({
    queryKey: ['usage', tenant, 'license'],
    queryFn: () => call(tenantsApi.license, { params: { tenant_slug: tenant } }),
  })

export const tenantQuery = (tenant: string) =>
  queryOptions({
    queryKey: ['usage', tenant, 'contents'],
    queryFn: () => call(tenantsApi.get, { params: { tenant_slug: tenant } }),
  })

const names: Record<QuotaName, string> = {
  projects: 'Projects',
  versions: 'Versions',
  storage_bytes: 'Storage',
  repositories: 'Repositories',
  webhooks: 'Webhooks',
  api_keys: 'API keys',
  mcp_keys: 'MCP keys',
  polls_per_hour: 'Polls (last hour)',
}

/** Where what is counted is listed. */
const places: Partial<Record<QuotaName | 'seats', string>> = {
  seats: '/members',
  repositories: '/repositories',
  webhooks: '/webhooks',
  api_keys: '/keys?kind=api',
  mcp_keys: '/keys?kind=mcp',
  polls_per_hour: '/repositories/polling',
}

const Use = ({
  tenant,
  of,
  name,
  used,
  max,
  bytes = false,
}: {
  tenant: string
  of: QuotaName | 'seats'
  name: string
  used: number
  max: number | null
  bytes?: boolean
}) => {
  const say = (value: number): string => (bytes ? bytesWords(value) : value.toLocaleString())
  const full = max !== null && used >= max
  const own = of === 'projects' || of === 'versions' ? '' : places[of]
  const place = own === undefined ? undefined : `/t/${tenant}${own === '' ? '' : `/-${own}`}`
  return (
    <li className="grid content-start gap-1.5 bg-surface px-4 py-3">
      <p className="text-sm text-soft">
        {place === undefined ? (
          name
        ) : (
          <Link to={place} className="hover:underline">
            {name}
          </Link>
        )}
      </p>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className={`text-xl font-semibold tabular-nums ${full ? 'text-danger' : ''}`}>{say(used)}</span>
        <span className="text-sm text-soft">{max === null ? 'no limit' : `of ${say(max)}`}</span>
        {full ? <span className="text-sm font-medium text-danger">limit reached</span> : null}
      </p>
      {max === null ? null : (
        <progress
          aria-label={name}
          className={full ? 'meter text-danger' : 'meter text-accent'}
          value={Math.min(used, max)}
          max={max || 1}
        />
      )}
    </li>
  )
}

/** What is nearly or wholly used up, and who can raise it. */
const Raise = ({ license: { seats, quotas } }: { license: Pick<TenantLicense, 'seats' | 'quotas'> }) => {
  const all = [['Seats', seats] as const, ...quotaNames.map((name) => [names[name], quotas[name]] as const)]
  const isAbove = (share: number) => all.filter(([, it]) => it.max !== null && it.used >= it.max * share)
  const full = isAbove(1).map(([name]) => name)
  const near = isAbove(0.8).flatMap(([name]) => (full.includes(name) ? [] : name))
  if (full.length + near.length === 0) return null
  return (
    <Notice
      tone={full.length > 0 ? 'danger' : 'warn'}
      title={[
        full.length > 0 ? `Used up: ${full.join(', ')}` : '',
        near.length > 0 ? `More than 80 % used: ${near.join(', ')}` : '',
      ]
        .filter(Boolean)
        .join('. ')}
    >
      <p>
        Nothing that exists is lost; only creating more is refused. Delete what is not needed, or ask the operator of
        this service to raise the limit.
      </p>
    </Notice>
  )
}

const Plan = ({ plan }: { plan: TenantLicense['plan'] }) =>
  plan ? (
    <div className="card p-4">
      <Facts
        facts={[
          ['Plan', <strong key="plan">{plan.name}</strong>],
          ['Status', plan.status],
          ['Active since', <Moment key="attached" at={plan.attached_at} />],
          ['Renews', plan.renews_at ? <Moment key="renews" at={plan.renews_at} /> : null],
        ]}
      />
    </div>
  ) : (
    <p className="text-soft">No plan. The limits of the free plan apply.</p>
  )

const Contents = ({ info }: { info: TenantInfo }) => (
  <div className="card p-4">
    <Facts
      facts={[
        [
          'Slug',
          <span key="slug" className="font-mono">
            {info.slug}
          </span>,
        ],
        ['Created', info.created_at ? <Moment key="made" at={info.created_at} /> : null],
        ['Members', info.members_count.toLocaleString()],
        ['Projects', info.projects_count.toLocaleString()],
        [
          'Versions',
          `${info.versions_count.toLocaleString()}, ${info.published_versions_count.toLocaleString()} of them published`,
        ],
      ]}
    />
  </div>
)

/** What the plan allows and how much of it is used. */
export const UsagePage = ({ tenant }: { tenant: string }) => {
  const license = useQuery(licenseQuery(tenant))
  const info = useQuery(tenantQuery(tenant))
  return (
    <Page title="Plan and usage" description="The contents of this organization and the limits of its plan.">
      <Read query={license} what="the usage">
        {({ plan, seats, quotas, features }) => (
          <>
            <Section title="Plan" actions={<CommandHint command={svcCommand(tenant, ['tenant', 'license'])} />}>
              <Plan plan={plan} />
            </Section>
            <Raise license={{ seats, quotas }} />
            <Section title="Usage">
              <ul className="card grid gap-px overflow-hidden bg-line sm:grid-cols-2 lg:grid-cols-3">
                <Use
                  tenant={tenant}
                  of="seats"
                  name={seats.pending > 0 ? `Seats (${seats.pending} invited)` : 'Seats'}
                  used={seats.used}
                  max={seats.max}
                />
                {quotaNames.map((name) => (
                  <Use
                    key={name}
                    tenant={tenant}
                    of={name}
                    name={names[name]}
                    bytes={name === 'storage_bytes'}
                    {...quotas[name]}
                  />
                ))}
              </ul>
            </Section>
            {features.length > 0 ? (
              <Section title="Features">
                <ul className="flex flex-wrap gap-1.5">
                  {features.map((feature) => (
                    <li key={feature.key}>
                      <Badge tone={feature.enabled ? 'ok' : 'plain'}>
                        {feature.label}
                        {feature.enabled ? '' : ' (not in the plan)'}
                      </Badge>
                    </li>
                  ))}
                </ul>
              </Section>
            ) : null}
            <Section title="This organization">
              <Read query={info} what="the organization">
                {(it) => <Contents info={it} />}
              </Read>
            </Section>
          </>
        )}
      </Read>
    </Page>
  )
}

import { type QuotaName, quotaNames } from '../../src/api/tenants.ts'

/** What a plan allows; null is without limit. */
export interface Plan {
  readonly slug: string
  readonly name: string
  readonly seats: number | null
  /** How many tenants a person may own whose best plan is this one. */
  readonly tenantsPerUser: number | null
  readonly quotas: Readonly<Record<QuotaName, number | null>>
}

export type Plans = Readonly<Record<string, Plan>> & { readonly free: Plan }

/** What the operator may change in the free plan. */
export type FreeOverrides = Partial<Readonly<Record<QuotaName | 'seats' | 'tenants', number | null>>>

const gibibyte = 1024 ** 3

const unlimited: Readonly<Record<QuotaName, null>> = {
  projects: null,
  versions: null,
  storage_bytes: null,
  repositories: null,
  webhooks: null,
  api_keys: null,
  mcp_keys: null,
  polls_per_hour: null,
}

const free: Plan = {
  slug: 'free',
  name: 'Free',
  seats: 5,
  tenantsPerUser: 1,
  quotas: {
    projects: 10,
    versions: null,
    storage_bytes: gibibyte,
    repositories: 3,
    webhooks: 3,
    api_keys: 5,
    mcp_keys: 5,
    polls_per_hour: 60,
  },
}

const team: Plan = {
  slug: 'team',
  name: 'Team',
  seats: 25,
  tenantsPerUser: 5,
  quotas: {
    projects: 100,
    versions: null,
    storage_bytes: 20 * gibibyte,
    repositories: 25,
    webhooks: 25,
    api_keys: 50,
    mcp_keys: 50,
    polls_per_hour: 600,
  },
}

const enterprise: Plan = {
  slug: 'enterprise',
  name: 'Enterprise',
  seats: null,
  tenantsPerUser: null,
  quotas: { ...unlimited, polls_per_hour: 600 },
}

/** The local workspace: its machine is the only limit. */
const local: Plan = { slug: 'local', name: 'Local workspace', seats: null, tenantsPerUser: null, quotas: unlimited }

/** The plans, with what the operator changed in the free one. */
export function plansWith(overrides: FreeOverrides): Plans {
  const { seats = free.seats, tenants = free.tenantsPerUser, ...quotas } = overrides
  return {
    free: { ...free, seats, tenantsPerUser: tenants, quotas: { ...free.quotas, ...quotas } },
    team,
    enterprise,
    local,
  }
}

/**
 * The plans as the settings of the service have them: what is under `free.` changes the free plan, null being
 * without limit.
 * @param values settings by key, of which others than `free.*` are skipped
 */
export function plansOf(values: Readonly<Record<string, unknown>>): Plans {
  const overrides: Partial<Record<QuotaName | 'seats' | 'tenants', number | null>> = {}
  for (const name of [...quotaNames, 'seats', 'tenants'] as const) {
    const value = values[`free.${name}`]
    if (value === null || typeof value === 'number') overrides[name] = value
  }
  return plansWith(overrides)
}

/** The plan whose limits hold for a tenant: the free one where none is attached. */
export const planOf = (plans: Plans, slug: string | null): Plan =>
  slug === null ? plans.free : (plans[slug] ?? plans.free)

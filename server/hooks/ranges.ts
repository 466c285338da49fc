import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import { gitApps, providerRanges, repositories, repositoryHooks } from '../../db/tables.gen.ts'
import type { GitProvider } from '../../src/api/linked-accounts.ts'
import { SvcError } from '../../src/errors.ts'
import type { Deps } from '../kit/door.ts'
import { at, listAt, textAt } from '../hosting/door.ts'

/** How often they are read, in seconds. */
export const refreshIntervalSeconds = 6 * 3600

/** The hosts of clouds, whose networks are published; self-managed servers have none. */
export const clouds: Readonly<Record<string, GitProvider>> = {
  'github.com': 'github',
  'gitlab.com': 'gitlab',
  'bitbucket.org': 'bitbucket',
}

const texts = (values: readonly unknown[]): string[] => values.filter((one) => typeof one === 'string')

/** Where each provider publishes them, and how to read that. GitLab writes them in its documentation. */
const sources: Readonly<
  Record<GitProvider, { readonly url: string | null; readonly read: (body: unknown) => string[] }>
> = {
  github: { url: 'https://api.github.com/meta', read: (body) => texts(listAt(body, 'hooks')) },
  gitlab: { url: null, read: () => ['34.74.90.64/28', '34.74.226.0/24'] },
  bitbucket: {
    url: 'https://ip-ranges.atlassian.com/',
    read: (body) =>
      listAt(body, 'items').flatMap((item) => {
        const isHook = listAt(item, 'product').includes('bitbucket') && listAt(item, 'direction').includes('egress')
        return isHook && at(item, 'cidr') !== undefined ? (textAt(item, 'cidr') ?? []) : []
      }),
  },
}

/** Reads the networks of the clouds that hooks come from; where that fails the last ones stay. */
export async function refreshRanges(deps: Deps, signal: AbortSignal): Promise<void> {
  const hosts = await deps.db.read
    .selectDistinct({ host: repositories.host })
    .from(repositoryHooks)
    .innerJoin(repositories, eq(repositories.id, repositoryHooks.repositoryId))
    .where(inArray(repositories.host, Object.keys(clouds)))
  const apps = await deps.db.read
    .select({ host: gitApps.host })
    .from(gitApps)
    .where(and(isNotNull(gitApps.hookToken), inArray(gitApps.host, Object.keys(clouds))))
  for (const host of new Set([...hosts, ...apps].map((one) => one.host))) {
    const provider = clouds[host]
    if (provider === undefined) continue
    const { url, read } = sources[provider]
    const fetchedAt = deps.clock.iso()
    try {
      const ranges = read(url === null ? null : await deps.hosting.api.fetchPublic(url, signal))
      if (ranges.length === 0) throw new SvcError('provider-failed', { host, reason: 'its list of networks is empty' })
      const set = { ranges, fetchedAt, lastError: null }
      await deps.db.inTransaction((tx) =>
        tx
          .insert(providerRanges)
          .values({ provider, ...set })
          .onConflictDoUpdate({ target: providerRanges.provider, set }),
      )
    } catch (error) {
      if (!(error instanceof SvcError)) throw error
      const set = { lastError: error.message }
      await deps.db.inTransaction((tx) =>
        tx
          .insert(providerRanges)
          .values({ provider, ranges: [], fetchedAt: null, ...set })
          .onConflictDoUpdate({ target: providerRanges.provider, set }),
      )
    }
  }
}

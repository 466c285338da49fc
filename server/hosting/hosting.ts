import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GitProvider } from '../../src/api/linked-accounts.ts'
import type { Network } from '../egress/door.ts'
import { detectProvider } from './detect.ts'
import { GitHubApps } from './github-app.ts'
import { GitHosts, type GitHost } from './hosts.ts'
import { Mirrors } from './mirrors.ts'
import { ProviderOAuth } from './oauth.ts'
import { ProviderApi } from './provider.ts'

/** How providers of git repositories are reached. */
export interface Hosting {
  readonly hosts: GitHosts
  readonly api: ProviderApi
  readonly oauth: ProviderOAuth
  readonly apps: GitHubApps
  readonly mirrors: Mirrors
  /** Which provider a host runs that is neither a cloud nor mapped; null for any other. */
  readonly detect: (origin: string, signal: AbortSignal) => Promise<GitProvider | null>
  /** How the addresses that hooks come from are checked. */
  readonly hooks: HookSettings
}

export interface HookSettings {
  readonly isEnforced: boolean
  /** Whether a provider without known networks is blocked instead of reported. */
  readonly isStrict: boolean
  /** Proxies in front of the service whose X-Forwarded-For counts; 0: it is ignored. */
  readonly proxyHops: number
}

/** What an operator sets of it. */
export interface HostingSettings {
  readonly hosts: readonly GitHost[]
  /** Where mirrors of repositories are kept; below the folder for temporary files when omitted. */
  readonly mirrorFolder?: string
  readonly mirrorQuotaBytes?: number
  readonly hooks?: HookSettings
}

const defaultQuota = 5 * 1024 ** 3

/** @param allow networks beside the public internet that may be reached */
export function createHosting(allow: readonly Network[], settings: HostingSettings): Hosting {
  const hosts = new GitHosts(settings.hosts)
  const folder = settings.mirrorFolder ?? join(tmpdir(), 'svc-mirrors')
  const api = new ProviderApi(allow, hosts)
  const mirrors = new Mirrors({ allow, folder, quotaBytes: settings.mirrorQuotaBytes ?? defaultQuota })
  return {
    hosts,
    api,
    oauth: new ProviderOAuth(allow, hosts),
    apps: new GitHubApps(api),
    mirrors,
    detect: (origin, signal) => detectProvider(origin, allow, signal),
    hooks: settings.hooks ?? { isEnforced: true, isStrict: false, proxyHops: 0 },
  }
}

import type { Network } from '../egress/address.ts'
import { GitHosts, type GitHost } from './hosts.ts'
import { ProviderApi } from './provider.ts'

/** How providers of git repositories are reached. */
export interface Hosting {
  readonly hosts: GitHosts
  readonly api: ProviderApi
}

/** What an operator sets of it. */
export interface HostingSettings {
  readonly hosts: readonly GitHost[]
}

/** @param allow networks beside the public internet that may be reached */
export function createHosting(allow: readonly Network[], settings: HostingSettings): Hosting {
  const hosts = new GitHosts(settings.hosts)
  return { hosts, api: new ProviderApi(allow, hosts) }
}

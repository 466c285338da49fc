/** What the states of repositories, files, refreshes and webhooks are called. */
import type { Output } from '../../../../src/api/endpoint.ts'
import type { repositoriesApi } from '../../../../src/api/repositories.ts'
import type { repositoryHooksApi } from '../../../../src/api/repository-hooks.ts'
import type {
  ConflictPolicyToken,
  FilePreset,
  Repository,
  RepositoryFile,
  RepositoryNoticeType,
} from '../../../../src/api/repository-shapes.ts'
import type { Tone } from '../../parts/badge.tsx'
import type { Option } from '../../parts/form.tsx'

export const healthTones: Readonly<Record<Repository['health']['badge'], Tone>> = {
  healthy: 'ok',
  degraded: 'warn',
  failing: 'danger',
  unknown: 'plain',
}
export const healthNames: Readonly<Record<Repository['health']['badge'], string>> = {
  healthy: 'healthy',
  degraded: 'degraded',
  failing: 'failing',
  unknown: 'not read yet',
}

type Refresh = Output<typeof repositoriesApi.refreshHistory>['items'][number]
export type RefreshStatus = NonNullable<RepositoryFile['import']>['refresh_status']

export const refreshTones: Readonly<Record<RefreshStatus, Tone>> = {
  'up-to-date': 'ok',
  stale: 'info',
  refreshing: 'info',
  failed: 'danger',
  diverged: 'warn',
}
export const refreshNames: Readonly<Record<RefreshStatus, string>> = {
  'up-to-date': 'up to date',
  stale: 'changed',
  refreshing: 'refreshing',
  failed: 'failed',
  diverged: 'diverged',
}

export const outcomeTones: Readonly<Record<Refresh['outcome'], Tone>> = {
  'up-to-date': 'plain',
  imported: 'ok',
  held: 'warn',
  branched: 'info',
  failed: 'danger',
  diverged: 'warn',
}
export const outcomeNames: Readonly<Record<Refresh['outcome'], string>> = {
  'up-to-date': 'no change',
  imported: 'imported',
  held: 'held back',
  branched: 'new draft',
  failed: 'failed',
  diverged: 'held for review',
}
export const triggerNames: Readonly<Record<Refresh['trigger'], string>> = {
  manual: 'by a person',
  webhook: 'by a webhook',
  poll: 'by polling',
  retry: 'retried',
}

export { formatNames as kindNames } from '../../../../src/kernel/format-names.ts'

export const presetNames: Readonly<Record<FilePreset, string>> = {
  specs: 'Specifications',
  openapi: 'OpenAPI',
  arazzo: 'Arazzo',
  'json-schema': 'JSON Schema',
  mcp: 'MCP',
  all: 'All files',
}

export const reasonNames: Readonly<Record<NonNullable<RepositoryFile['reason']>, string>> = {
  'lfs-pointer': 'Git LFS',
  symlink: 'symbolic link',
  submodule: 'submodule',
  'case-twin': 'case twin',
}
/** Why a file is marked, and what follows. */
export const reasonTitles: Readonly<Record<NonNullable<RepositoryFile['reason']>, string>> = {
  'lfs-pointer': 'Its content is in Git LFS, not in the repository: it cannot be imported.',
  symlink: 'It refers to another file: import that one.',
  submodule: 'It is another repository: register that one.',
  'case-twin': 'Another path differs from this one in upper and lower case only.',
}

export const policyOptions: readonly Option<ConflictPolicyToken>[] = [
  {
    value: 'hold-for-review',
    name: 'Hold for review',
    detail: 'The draft does not change; the file is reported as diverged until someone decides.',
  },
  {
    value: 'overwrite',
    name: 'Overwrite',
    detail: 'The file replaces the draft; your edits are kept as a separate draft.',
  },
  {
    value: 'new-branch',
    name: 'New draft',
    detail: 'The draft does not change; the file becomes another draft, named after the commit.',
  },
]
export const policyNames: Readonly<Record<ConflictPolicyToken, string>> = {
  'hold-for-review': 'hold for review',
  overwrite: 'overwrite',
  'new-branch': 'new draft',
}

export const noticeNames: Readonly<Record<RepositoryNoticeType, readonly [name: string, detail: string]>> = {
  'scan.completed': ['Scan completed', 'The branches and files were indexed.'],
  'scan.failed': ['Scan failed', 'The repository cannot be read any more.'],
  'sync.candidate': ['Change for a bound draft', 'The branch that a draft is bound to has new commits.'],
  'sync.diverged': ['Diverged', 'A file was edited here and in the repository.'],
  'refresh.failed': ['Refresh failed', 'A changed file could not be imported.'],
  'webhook.rejected': ['Webhook refused', 'A delivery of the provider was refused.'],
}

type HookStatus = Output<typeof repositoryHooksApi.status>
export type HookEvent = HookStatus['events'][number]
export type Hook = NonNullable<HookStatus['subscription']>

export const hookTones: Readonly<Record<Hook['state'], Tone>> = { pending: 'info', active: 'ok', failing: 'danger' }
export const hookNames: Readonly<Record<Hook['state'], string>> = {
  pending: 'waiting for the first delivery',
  active: 'active',
  failing: 'last delivery refused',
}

/** What became of a delivery, and for a refused one what to do. */
export const eventOutcomes: Readonly<
  Record<HookEvent['outcome'], { readonly name: string; readonly tone: Tone; readonly advice: string }>
> = {
  accepted: { name: 'accepted', tone: 'ok', advice: '' },
  duplicate: { name: 'duplicate', tone: 'plain', advice: 'This delivery was received before; it changed nothing.' },
  ignored: { name: 'ignored', tone: 'plain', advice: 'Only pushes are needed.' },
  'bad-signature': {
    name: 'refused: signature',
    tone: 'danger',
    advice: 'The provider uses a different secret. Rotate the secret, or enter the same secret there.',
  },
  'ip-blocked': {
    name: 'refused: address',
    tone: 'danger',
    advice: 'The sender is not in the allowed networks. Add its network to the webhook sources.',
  },
  'ip-warned': {
    name: 'accepted: unknown address',
    tone: 'warn',
    advice: 'The networks of this provider are not known. Add its network to the webhook sources.',
  },
  'too-slow': { name: 'refused: too slow', tone: 'danger', advice: 'The body did not arrive in time.' },
  'too-large': { name: 'refused: too large', tone: 'danger', advice: 'The body was larger than 26 MiB.' },
}

export const shortCommit = (commit: string): string => commit.slice(0, 7)

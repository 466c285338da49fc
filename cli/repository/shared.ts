/** What the commands about repositories share. */
import type { Repository } from '../../src/api/repository-shapes.ts'
import { renderFacts, renderTable } from '../table.ts'

export const repositoryArgument = { name: 'id', required: true, summary: 'id of the repository' } as const
export const branchOption = {
  branch: { type: 'string', placeholder: 'BRANCH', summary: 'the branch (default: the default branch)' },
} as const

/** The id of a file in the API: its branch and its path. */
export const fileIdOf = (branch: string, path: string): string =>
  Buffer.from(`${branch}\n${path}`).toString('base64url')

/** A repository as lines. */
export const renderRepository = (it: Repository): string =>
  renderFacts([
    ['id', it.id],
    ['repository', `${it.full_name} (${it.provider}, ${it.host})`],
    ['address', it.clone_url],
    ['health', it.health.badge],
    ['reasons', it.health.reasons.length === 0 ? null : it.health.reasons.map(({ message }) => message).join('; ')],
    ['branch', it.default_branch],
    ['files', it.last_scanned_at === null ? null : `${it.files_indexed} on ${it.branches_indexed} indexed branches`],
    ['scanned', it.last_scanned_at],
    ['polled', it.auto_refresh_enabled ? (it.next_poll_at ?? 'after the first scan') : 'no'],
    ['conflicts', it.conflict_policy],
    ['pull requests', it.pull_request_reports ? 'get reports' : null],
    ['account', it.linked_account_id],
  ])

/** Repositories as a table. */
export const renderRepositories = (all: readonly Repository[]): string =>
  all.length === 0
    ? 'No registered repositories.\n'
    : renderTable(
        ['ID', 'REPOSITORY', 'HOST', 'HEALTH', 'FILES'],
        all.map((it) => [it.id, it.full_name, it.host, it.health.badge, String(it.files_indexed)]),
      )

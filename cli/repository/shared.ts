/** What the commands about repositories share. */
import type { Repository } from '../../src/api/repository-shapes.ts'
import { renderFacts } from '../table.ts'

export const repositoryArgument = { name: 'id', required: true, summary: 'id of the repository' } as const
export const branchOption = {
  branch: { type: 'string', placeholder: 'BRANCH', summary: 'the branch (default: the default branch)' },
} as const

/** The id of a file in the API: its branch and its path. */
export const fileIdOf = (branch: string, path: string): string =>
  Buffer.from(`${branch}\n${path}`).toString('base64url')

/** A repository as lines. */
export const renderRepository = (repository: Repository): string =>
  renderFacts([
    ['id', repository.id],
    ['repository', `${repository.full_name} (${repository.provider}, ${repository.host})`],
    ['address', repository.clone_url],
    ['health', repository.health.badge],
    [
      'reasons',
      repository.health.reasons.length === 0
        ? null
        : repository.health.reasons.map(({ message }) => message).join('; '),
    ],
    ['branch', repository.default_branch],
    [
      'files',
      repository.last_scanned_at === null
        ? null
        : `${repository.files_indexed} on ${repository.branches_indexed} indexed branches`,
    ],
    ['scanned', repository.last_scanned_at],
    ['polled', repository.auto_refresh_enabled ? (repository.next_poll_at ?? 'after the first scan') : 'no'],
    ['conflicts', repository.conflict_policy],
    ['pull requests', repository.pull_request_reports ? 'get reports' : null],
    ['account', repository.linked_account_id],
  ])

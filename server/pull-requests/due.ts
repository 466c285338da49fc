import { defineDue } from '../schedule/door.ts'

/** Reports on the open pull requests and pushed branches of a repository. */
export const reportsKind = defineDue({
  kind: 'repository.reports',
  longestMs: 300_000,
  async run({ subjectId, tenantId, deps, signal }) {
    const { reportOnPullRequests } = await import('./report.ts')
    return reportOnPullRequests(deps, tenantId ?? '', subjectId, signal)
  },
})

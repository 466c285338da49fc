import { defineDue } from '../schedule/define.ts'

/** Reports on the open pull requests of a repository. */
export const reportsKind = defineDue({
  kind: 'repository.reports',
  longestMs: 300_000,
  async run({ subjectId, tenantId, deps, signal }) {
    const { reportOnPullRequests } = await import('./report.ts')
    await reportOnPullRequests(deps, tenantId ?? '', subjectId, signal)
    return null
  },
})

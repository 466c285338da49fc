import { compatibilityApi, type Evidence } from '../../src/api/compatibility.ts'
import { Reply, type Route, routesOf } from '../http/door.ts'
import { stablePageOf } from '../kit/door.ts'
import { checkCompatibility } from './check.ts'
import { latestEvidence, listEvidence, recordEvidence, writeEvidence, type CompatibilityDeps } from './evidence.ts'

type Format = 'json' | 'sarif' | 'junit'

const mediaTypes = { sarif: 'application/sarif+json', junit: 'application/xml' } as const

/** The query wins over Accept, which names a format only where it names no JSON before it. */
function formatOf(asked: Format | undefined, accept: string): Format {
  if (asked !== undefined) return asked
  for (const one of accept.split(',').map((it) => it.split(';')[0]?.trim().toLowerCase() ?? '')) {
    if (one === 'application/json' || one === '*/*') return 'json'
    if (one === 'application/sarif+json') return 'sarif'
    if (one === 'application/xml' || one === 'text/xml' || one === 'application/junit+xml') return 'junit'
  }
  return 'json'
}

/** The routes of compatibility: the check, and evidence. */
export function compatibilityRoutes(deps: CompatibilityDeps): Route[] {
  const written = (evidence: Evidence, format: 'sarif' | 'junit'): Reply =>
    new Reply({
      headers: { 'content-type': `${mediaTypes[format]}; charset=utf-8` },
      body: writeEvidence(evidence, format, deps.version),
    })
  return routesOf(compatibilityApi, {
    check: ({ params, query, body }, { grant }) =>
      checkCompatibility(
        deps,
        deps.settings,
        grant,
        { project: params.project_id, against: query?.against ?? 'base' },
        body,
      ),
    recordEvidence: async ({ params, query, body }, { grant, accept }) => {
      const format = formatOf(query?.format, accept)
      const refs = { project: params.project_id, base: body.baseRevisionId, head: body.headRevisionId }
      const evidence = await recordEvidence(deps, grant, refs)
      return format === 'json' ? evidence : written(evidence, format)
    },
    listEvidence: async ({ params, query }, { grant, accept }) => {
      const format = formatOf(query?.format, accept)
      const refs = { project: params.project_id, head: params.version_id }
      if (format !== 'json') return written(await latestEvidence(deps.db.read, grant, refs), format)
      return listEvidence(deps, grant, refs, stablePageOf('evidence', query))
    },
  })
}

import { queryOptions } from '@tanstack/react-query'
import { lintApi } from '../../../../src/api/lint.ts'
import type { FindingShape, StaticOf } from '../../../../src/api/shapes.ts'
import { call } from '../../call.ts'
import { type VersionRef, versionParams } from '../versions/queries.ts'

export type Finding = StaticOf<typeof FindingShape>

/** The first part of the key of every lint report. */
export const lintKey = (tenant: string) => ['lint', tenant] as const

/** The lint report of a stored version under the guide that applies to its project. */
export const lintQuery = (ref: VersionRef) =>
  queryOptions({
    queryKey: [...lintKey(ref.tenant), ref.project, ref.version],
    queryFn: () => call(lintApi.version, { params: versionParams(ref) }),
  })

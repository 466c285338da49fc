import { serializeJson, serializeYaml } from '../../src/document/serialize.ts'
import { SvcError } from '../../src/errors.ts'
import type { Analysis } from '../analysis/analyse.ts'

/** Which document of a version is wanted. */
export interface Rendering {
  readonly kind: 'openapi'
  readonly className: string | null
  readonly syntax: 'json' | 'yaml'
}

/** The text of a rendered document. */
export function renderVersion({ spec }: Analysis, { syntax }: Rendering): string {
  if (!spec) throw new SvcError('document-invalid', { reason: 'it cannot be read' })
  return syntax === 'json' ? serializeJson(spec.openapi) : serializeYaml(spec.openapi)
}

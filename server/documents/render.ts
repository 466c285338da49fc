import { serializeJson, serializeYaml } from '../../src/document/serialize.ts'
import { SvcError } from '../../src/errors.ts'
import type { Analysis } from '../analysis/analyse.ts'

/** Which document of a version is wanted. */
export interface Rendering {
  readonly kind: 'openapi' | 'json-schema' | 'arazzo'
  readonly className: string | null
  readonly syntax: 'json' | 'yaml'
}

/** The text of a rendered document. */
export function renderVersion({ spec }: Analysis, { kind, syntax }: Rendering, label: string): string {
  if (!spec) throw new SvcError('document-invalid', { reason: 'it cannot be read' })
  if (kind === 'arazzo' && spec.arazzo === null) throw new SvcError('no-workflows', { version: label })
  const value = kind === 'arazzo' ? spec.arazzo : spec.openapi
  return syntax === 'json' ? serializeJson(value) : serializeYaml(value)
}

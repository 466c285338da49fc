/** Why no rule applied to a document, so that it has no grade. */
import type { Document } from '../document/document.ts'
import { familyOf } from '../document/family.ts'
import { supportedVersions } from '../document/validate/structure.ts'
import { isObject, type Json, type Path } from '../kernel/json.ts'
import type { Finding } from './finding.ts'
import { fingerprintOf } from './fingerprint.ts'

const titles: Readonly<Record<string, string>> = {
  openapi: 'OpenAPI',
  swagger: 'Swagger',
  arazzo: 'Arazzo',
}

const listed = (versions: readonly string[]): string =>
  versions.length < 2 ? versions.join('') : `${versions.slice(0, -1).join(', ')} and ${versions.at(-1)}`

/** Where a document says what it is, if it does. */
const pathOf = (value: Json): Path =>
  ['asyncapi', 'overlay'].filter((it) => isObject(value) && Object.hasOwn(value, it)).slice(0, 1)

interface Reason {
  readonly code: 'unrecognized-format' | 'no-rules'
  readonly message: string
  readonly path: Path
}

function reasonOf(document: Document, guide: string): Reason {
  const { value, format } = document
  const named = isObject(value) ? Object.keys(titles).find((it) => Object.hasOwn(value, it)) : undefined
  const title = named === undefined ? '' : titles[named]
  const written = named === undefined || !isObject(value) ? undefined : value[named]
  const version = typeof written === 'string' || typeof written === 'number' ? String(written) : null
  if (format === null && named !== undefined) {
    const said = version === null ? `This ${title} document has no version` : `${title} ${version} is not supported`
    const known = supportedVersions(named)
    const how =
      known.length === 0
        ? 'svc has no rules for it; --guide applies a ruleset of your own'
        : `supported are ${title} ${listed(known)}`
    return { code: 'unrecognized-format', message: `${said}: ${how}.`, path: [named] }
  }
  const family = familyOf(document)
  if (family !== null)
    return { code: 'unrecognized-format', message: `This is ${family.name}: ${family.help}.`, path: pathOf(value) }
  if (format === null)
    return {
      code: 'unrecognized-format',
      message: 'This is not an OpenAPI, Arazzo, JSON Schema or MCP document; choose a guide for it with --guide.',
      path: [],
    }
  const known = supportedVersions(format.kind)
  if (named !== undefined && known.length > 0 && !known.includes(format.version))
    return {
      code: 'unrecognized-format',
      message: `${title} ${version ?? format.version} is not supported: supported are ${title} ${listed(known)}.`,
      path: [named],
    }
  return { code: 'no-rules', message: `No rule of ${guide} applies to this document.`, path: [] }
}

/**
 * A finding that says why no rule applied.
 * @param guide the name of the style guide
 */
export function ungradedFinding(document: Document, guide: string): Finding {
  const { code, message, path } = reasonOf(document, guide)
  const { source } = document
  return {
    code,
    severity: 'warning',
    message,
    path,
    pointer: path.map((it) => `/${it}`).join(''),
    source,
    range: document.locate(path),
    fingerprint: fingerprintOf(code, source, path),
    documentationUrl: null,
    fix: null,
  }
}

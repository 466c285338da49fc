/** Request bodies: JSON against its schema, where the engine can (OpenAPI 3.1, 4.8.14). */
import { createHash } from 'node:crypto'
import { findCycles } from '../../kernel/cycles.ts'
import type { MediaType } from '../../diff/model/api.ts'
import { readMediaType } from '../../diff/model/media-type.ts'
import { headerOf, isJson, jsonHeader } from './content.ts'
import { FormRules, isForm } from './forms.ts'
import type { ReleaseFile } from '../compile/model.ts'
import type { Context, Endpoint } from './model.ts'
import type { Condition } from './seclang.ts'
import { SchemaWriter } from './schema.ts'

const unread = 'Bodies of this type are not read; their type is checked alone.'

/** So many operations are looked at one after the other. */
const neighbours = 4

/** What is checked of the bodies of one operation. */
interface BodyCheck {
  readonly endpoint: Endpoint
  readonly write: () => void
}

/** The rules about the bodies of all operations. They come in the phase of the body, and find their operation by its number. */
export class BodyRules {
  readonly files = new Map<string, ReleaseFile>()
  /** Bodies that are checked against a schema. */
  count = 0
  private readonly context: Context
  private readonly folder: string
  private readonly writer: SchemaWriter
  private labels = 0

  constructor(context: Context, folder: string) {
    this.context = context
    this.folder = folder
    const { side, losses } = context
    this.writer = new SchemaWriter({
      dialect: side.dialect,
      find: (ref) => side.find(ref),
      lose: (path, reason) => losses.add('body', path, reason),
    })
  }

  private get isOn(): boolean {
    return this.context.mode('body') !== 'off'
  }

  /** What the rules of an operation set for these. */
  marksOf({ operation: { body } }: Endpoint): string[] {
    if (!this.isOn || body === null || ![...body.content.values()].some(isJson)) return []
    return [`tx.svc_json=${body.required ? 2 : 1}`]
  }

  /** @param endpoints those whose bodies are checked */
  write(endpoints: readonly Endpoint[]): void {
    if (!this.isOn) return
    const { dialect, rules } = this.context
    const withBody = endpoints.filter((it) => it.operation.body !== null)
    if (dialect.noSchemas === null) {
      for (const it of withBody) for (const { schema } of this.jsonOf(it)) if (schema) this.writer.survey(schema)
      this.writer.settle((edges) => findCycles(edges).cycleOf)
    }
    this.wellFormed()
    const checks = withBody.map((endpoint): BodyCheck[] => this.checksOf(endpoint)).flat()
    if (checks.length === 0) return
    const end = 'SVC_BODIES'
    rules.flow(2, [{ variables: '&TX:svc_op', operator: '@eq 0' }], [`skipAfter:${end}`])
    this.tree(
      checks.toSorted((a, b) => a.endpoint.number - b.endpoint.number),
      end,
    )
    rules.marker(end)
  }

  private jsonOf({ operation: { body } }: Endpoint): readonly MediaType[] {
    return [...(body?.content.values() ?? [])].filter(
      (it) => isJson(it) || readMediaType(it.name).essence.includes('*'),
    )
  }

  private wellFormed(): void {
    const { dialect, rules } = this.context
    const mode = this.context.mode('body')
    if (mode === 'off') return
    const isJsonBody = { variables: 'REQUEST_HEADERS:Content-Type', operator: `@rx ${jsonHeader}` }
    const refusal = (message: string) => ({ check: 'body' as const, mode, status: 400, message, operation: null })
    rules.refuse(
      2,
      [{ variables: 'TX:svc_json', operator: '@ge 1' }, isJsonBody, { variables: 'REQBODY_ERROR', operator: '!@eq 0' }],
      refusal('The body is not JSON.'),
    )
    if (!dialect.seesEmptyBodies) return
    // Without a body the schema is not asked; from HTTP/2 on nothing but the body itself shows that there is none.
    rules.refuse(
      2,
      [
        { variables: 'TX:svc_json', operator: '@eq 2' },
        isJsonBody,
        { variables: '&TX:json_request_body', operator: '@eq 0' },
      ],
      refusal('The request has no body of JSON.'),
    )
  }

  private checksOf(endpoint: Endpoint): BodyCheck[] {
    const { losses, dialect } = this.context
    const types = [...(endpoint.operation.body?.content.values() ?? [])]
    const json = this.jsonOf(endpoint)
    const found: BodyCheck[] = []
    const essences = types.map((it) => readMediaType(it.name).essence)
    for (const type of types) {
      const { schema, itemSchema, place, name } = type
      if (itemSchema) losses.add('body', itemSchema.path, 'The items of a sequence are not read one by one.')
      if (!schema) continue
      const { essence } = readMediaType(name)
      if (essences.filter((it) => it === essence).length > 1)
        losses.add('body', schema.path, 'Another media type differs in its parameters only, which do not decide here.')
      else if (isForm(type)) {
        const form = new FormRules(this.context, endpoint, type)
        if (form.hasRules) found.push({ endpoint, write: () => form.write(this.label()) })
      } else if (!json.includes(type)) losses.add('body', schema.path, unread)
      else if (dialect.noSchemas !== null) losses.add('body', schema.path, dialect.noSchemas)
      else {
        const file = this.fileOf(type)
        if (essence.includes('*')) losses.add('body', place.path, 'Of these media types JSON alone is read.')
        if (file !== null)
          found.push({ endpoint, write: () => this.refuse(endpoint, type, types.filter(isJson), file) })
      }
    }
    return found
  }

  private fileOf({ schema }: MediaType): string | null {
    const written = schema === null ? null : this.writer.write(schema)
    if (written === null) return null
    this.count++
    const text = `${JSON.stringify(written)}\n`
    const path = `schemas/${createHash('sha256').update(text).digest('hex').slice(0, 16)}.json`
    this.files.set(path, { path, text })
    return path
  }

  private refuse({ number, label }: Endpoint, type: MediaType, others: readonly MediaType[], file: string): void {
    const mode = this.context.mode('body')
    if (mode === 'off') return
    const isRange = !isJson(type)
    const header = 'REQUEST_HEADERS:Content-Type'
    const ofType: Condition[] = isRange
      ? [
          { variables: header, operator: `@rx ${headerOf([type.name])}` },
          { variables: header, operator: `@rx ${jsonHeader}` },
          ...(others.length === 0
            ? []
            : [{ variables: header, operator: `!@rx ${headerOf(others.map((it) => it.name))}` }]),
        ]
      : [{ variables: header, operator: `@rx ${headerOf([type.name])}` }]
    const named = file.replace(/^schemas/, this.folder.replace(/\/+$/, ''))
    this.context.rules.refuse(
      2,
      [
        { variables: 'TX:svc_op', operator: `@eq ${number}` },
        ...ofType,
        { variables: 'REQUEST_BODY', operator: `@validateSchema ${named}` },
      ],
      {
        check: 'body',
        mode,
        status: 400,
        message: 'The body does not match the schema of the document.',
        operation: label,
      },
    )
  }

  private label(): string {
    return `SVC_BODY_${++this.labels}`
  }

  /** Halves the operations until few are left, so that a request meets few rules. */
  private tree(checks: readonly BodyCheck[], end: string): void {
    if (checks.length <= neighbours) {
      for (const it of checks) it.write()
      return
    }
    const half = Math.ceil(checks.length / 2)
    const first = checks[half]?.endpoint.number ?? 0
    const { rules } = this.context
    const right = this.label()
    rules.flow(2, [{ variables: 'TX:svc_op', operator: `@ge ${first}` }], [`skipAfter:${right}`])
    const isLeft = checks.filter((it) => it.endpoint.number < first)
    this.tree(isLeft, end)
    rules.flow(2, [], [`skipAfter:${end}`])
    rules.marker(right)
    const isRight = checks.filter((it) => it.endpoint.number >= first)
    if (isLeft.length === 0) for (const it of isRight) it.write()
    else this.tree(isRight, end)
  }
}

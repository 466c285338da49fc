/** Forms: the fields of a body of the type application/x-www-form-urlencoded (OpenAPI 3.1, 4.8.14.4). */
import type { MediaType, Parameter } from '../../diff/model/api.ts'
import { readMediaType } from '../../diff/model/media-type.ts'
import { isObject } from '../../kernel/json.ts'
import { objectAt, pointerOf } from '../../diff/side.ts'
import { Unsent } from '../../schema/unsent.ts'
import { headerOf } from './content.ts'
import type { Check } from './blocks.ts'
import type { Context } from './model.ts'
import { literal } from '../pattern.ts'
import { ValueRules } from './values.ts'

export const isForm = ({ name }: Pick<MediaType, 'name'>): boolean =>
  readMediaType(name).essence === 'application/x-www-form-urlencoded'

/** Rules that note whether a request has a form. */
export function prepareForms({ rules }: Context): void {
  rules.flow(1, [], ['setvar:tx.svc_form=0'])
  const header = headerOf(['application/x-www-form-urlencoded'])
  rules.flow(1, [{ variables: 'REQUEST_HEADERS:Content-Type', operator: `@rx ${header}` }], ['setvar:tx.svc_form=1'])
  rules.flow(1, [{ variables: 'REQUEST_HEADERS:Content-Length', operator: '@rx \\A0+\\z' }], ['setvar:tx.svc_form=0'])
}

/** What is checked of the fields of one form. */
export class FormRules {
  private readonly context: Context
  private readonly type: MediaType
  private readonly values: ValueRules
  private readonly checks: Check[] = []

  constructor(context: Context, type: MediaType) {
    this.context = context
    this.type = type
    this.values = new ValueRules(context, {
      check: 'body',
      write: (conditions, refusal) => this.checks.push({ conditions, refusal }),
    })
  }

  /** @returns nothing where the schema does not list the fields */
  read(): readonly Check[] {
    const { type, context, values } = this
    if (type.schema === null) return []
    const shape = values.shapeOf(type.schema)
    if (shape.kind === 'mixed' || (shape.kind !== 'object' && shape.properties.length === 0)) {
      values.lose(type.schema.path, 'It does not list the fields of the form.')
      return []
    }
    if (shape.properties.length === 0) return []
    const { side } = context
    const resolve = (ref: string) => {
      const found = side.find(ref)
      return found === null ? null : { key: pointerOf(found.path), schema: found.value }
    }
    const unsent = new Unsent({ dialect: side.dialect, formats: 'asserted', resolve }, 'request').namesOf(
      type.schema.value,
    )
    for (const { name, place } of shape.properties) {
      const { style, explode } = this.encodingOf(name)
      const parameter: Parameter = {
        place: { value: {}, path: place.path },
        name,
        in: 'form',
        required: shape.required.has(name) && !unsent.has(name),
        style,
        explode,
        allowReserved: false,
        allowEmptyValue: false,
        deprecated: false,
        schema: place,
        content: new Map(),
      }
      values.named(parameter)
    }
    this.undeclared()
    return this.checks
  }

  private encodingOf(name: string): { style: string; explode: boolean } {
    const encoding = objectAt(this.type.encoding)[name]
    const given = isObject(encoding) ? encoding : {}
    const style = typeof given.style === 'string' ? given.style : 'form'
    return { style, explode: typeof given.explode === 'boolean' ? given.explode : style === 'form' }
  }

  private undeclared(): void {
    const { declared } = this.values
    const { schema } = this.type
    if (declared === null || schema === null || this.values.isFree(schema)) return
    const { alphabet } = this.context
    const names = declared
      .map((it) => (it.endsWith('[') ? `${literal(it, alphabet)}.*` : literal(it, alphabet)))
      .join('|')
    const message = 'The form has a field that the document does not declare.'
    this.values.refuse([{ variables: 'ARGS_POST_NAMES', operator: `!@rx \\A(?:${names})\\z` }], message)
  }
}

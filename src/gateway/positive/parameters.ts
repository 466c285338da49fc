/** Parameters of one operation (OpenAPI 3.1, 4.8.12). */
import type { Parameter } from '../../diff/model/api.ts'
import { templateNames } from '../../diff/model/openapi.ts'
import type { Context, Endpoint } from './model.ts'
import { anyValue, prefixBody, templateBody } from './path.ts'
import { asOperand, type Expression } from '../pattern.ts'
import type { Text } from './text.ts'
import { ValueRules } from './values.ts'

const foldedOf = (it: Parameter): string => `${it.in} ${it.name.toLowerCase()}`

/** The rules of the parameters of one operation. */
export class ParameterRules {
  private readonly endpoint: Endpoint
  private readonly values: ValueRules

  constructor(context: Context, endpoint: Endpoint) {
    this.endpoint = endpoint
    this.values = new ValueRules(context, { check: 'parameters', phase: 1, operation: endpoint.label })
  }

  /** @returns the names of the query that the operation declares; null where any name is declared */
  write(): readonly string[] | null {
    const { values } = this
    const all = [...this.endpoint.operation.parameters.values()]
    const folded = new Map<string, number>()
    for (const it of all) folded.set(foldedOf(it), (folded.get(foldedOf(it)) ?? 0) + 1)
    for (const parameter of all) {
      const { path } = parameter.place
      if (parameter.in === 'path') this.pathParameter(parameter)
      else if (parameter.in === 'querystring') {
        values.declared = null
        values.lose(path, 'The query as a whole is described, which rules about single arguments cannot say.')
      } else if ((folded.get(foldedOf(parameter)) ?? 0) > 1) {
        values.declare(parameter.in, parameter.name)
        values.lose(path, 'Another parameter differs in case only, and the engine does not distinguish them.')
      } else values.named(parameter)
    }
    return values.declared
  }

  private pathParameter(parameter: Parameter): void {
    const { name, schema, style, place } = parameter
    const { template } = this.endpoint.operation
    const position = templateNames(template).indexOf(name)
    if (position < 0) return
    if (schema === null) {
      if (parameter.content.size > 0)
        this.values.lose(place.path, 'Its value is a document of a media type within a text.')
      return
    }
    if (style !== 'simple') {
      this.values.lose(schema.path, `How "${style}" writes a value is not checked.`)
      return
    }
    const shape = this.values.shapeOf(schema)
    const use = (text: Text): void => text.forEach((it) => this.pathValue(name, position, it))
    if (shape.kind === 'array') this.values.joined(parameter, shape, schema.path, use)
    else if (shape.kind === 'scalar') use(this.values.textOf(schema))
    else this.values.lose(schema.path, 'An object within one text is not checked.')
  }

  private pathValue(name: string, position: number, expression: Expression): void {
    const { operation, prefixes } = this.endpoint
    const body = templateBody(operation.template, (_, at) => (at === position ? `(${anyValue})` : anyValue))
    this.values.refuse(
      [
        { variables: 'TX:svc_path', operator: `@rx \\A${prefixBody(prefixes)}${body}\\z`, capture: true },
        { variables: 'TX:1', operator: `!@rx ${asOperand(expression)}`, transformations: ['urlDecode'] },
      ],
      `The path parameter ${name} is not what the document declares.`,
    )
  }
}

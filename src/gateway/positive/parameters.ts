/** Parameters of one operation (OpenAPI 3.1, 4.8.12). */
import type { Parameter } from '../../diff/model/api.ts'
import { templateNames } from '../../diff/model/openapi.ts'
import type { Check } from './blocks.ts'
import type { Context, Endpoint } from './model.ts'
import { asOperand } from '../pattern.ts'
import type { Text } from './text.ts'
import { ValueRules } from './values.ts'

const foldedOf = (it: Parameter): string => `${it.in} ${it.name.toLowerCase()}`

/** An expression keeps so many groups. */
const mostKept = 9

/** A variable of the path with the texts that its values have to match. */
interface PathValue {
  readonly parameter: Parameter
  readonly position: number
  readonly text: Text
}

/** What is checked of the parameters of one operation. */
export class ParameterRules {
  readonly checks: Check[] = []
  /** Positions of the variables of the path whose values are looked at: the first is `TX:1`, and so on. */
  readonly kept: number[] = []
  private readonly endpoint: Endpoint
  private readonly values: ValueRules
  private readonly pathValues: PathValue[] = []

  constructor(context: Context, endpoint: Endpoint) {
    this.endpoint = endpoint
    this.values = new ValueRules(context, {
      check: 'parameters',
      write: (conditions, refusal) => this.checks.push({ conditions, refusal }),
    })
  }

  /** @returns the names of the query that the operation declares; null where any name is declared */
  read(): readonly string[] | null {
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
    this.writePath()
    return values.declared
  }

  private pathParameter(parameter: Parameter): void {
    const { name, schema, style, place } = parameter
    const position = templateNames(this.endpoint.operation.template).indexOf(name)
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
    const use = (text: Text): void => {
      if (text.length > 0) this.pathValues.push({ parameter, position, text })
    }
    if (shape.kind === 'array') this.values.joined(parameter, shape, schema.path, use)
    else if (shape.kind === 'scalar') use(this.values.textOf(schema))
    else this.values.lose(schema.path, 'An object within one text is not checked.')
  }

  /** Groups are numbered in the order of the path, which is not that of the parameters. */
  private writePath(): void {
    for (const { parameter, position, text } of this.pathValues.toSorted((a, b) => a.position - b.position)) {
      if (this.kept.length === mostKept) {
        this.values.lose(parameter.place.path, 'Of a path the engine keeps the values of nine variables.')
        continue
      }
      this.kept.push(position)
      for (const expression of text)
        this.values.refuse(
          [
            {
              variables: `TX:${this.kept.length}`,
              operator: `!@rx ${asOperand(expression)}`,
              transformations: ['urlDecode'],
            },
          ],
          `The path parameter ${parameter.name} is not what the document declares.`,
        )
    }
  }
}

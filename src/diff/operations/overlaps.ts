import { decodedOrSame } from '../../kernel/text.ts'
import type { Context } from '../context.ts'
import type { Operation, Parameter } from '../model/api.ts'
import { operationsOf, pathsOf } from '../model/openapi.ts'
import type { Side } from '../side.ts'
import { schemaOf, textOf } from '../wire/described.ts'
import { fullPathsOf } from './paths.ts'
import { meet, TemplateIndex } from './templates.ts'
import type { Meeting } from './templates.ts'

/** An operation at URLs of another one, both as they are for these URLs. */
export interface Overlap {
  /** The operation of the template, its parameters by their position in the other one. */
  readonly answering: Operation
  /** The other operation; without the parameters that are fixed text in the template. */
  readonly asked: Operation
  /** Whether no other template of the side may answer instead, and every URL of the other operation is concerned. */
  readonly isSure: boolean
}

/** The operations of one side by the URLs at which they answer. */
export class Overlaps {
  private readonly index: TemplateIndex
  private readonly context: Context
  private readonly side: Side

  constructor(context: Context, side: Side) {
    this.context = context
    this.side = side
    this.index = new TemplateIndex([...pathsOf(side).keys()].map((it) => [it, fullPathsOf(side, it)]))
  }

  /**
   * The operations of this side that answer at URLs of `asked` where nothing nearer does: a concrete path is matched before
   * a template (Paths Object), and a template that fixes more before one that fixes less. Null where there are more templates
   * than can be looked at.
   *
   * @param paths the whole paths of `asked`, by the servers of its side
   */
  at(asked: Operation, paths: readonly string[]): readonly Overlap[] | null {
    const walk = (): boolean => this.context.schemas.schemas.effort.walk(0.05)
    const found = new Map<string, { readonly operation: Operation; readonly meeting: Meeting }>()
    for (const path of paths) {
      const near = this.index.near(path, walk)
      if (near === null) return null
      for (const [template, whole] of near) {
        const meeting = found.has(template) ? null : meet(path, whole)
        // The same template with another method answers nothing of it.
        if (meeting === null || meeting.isSame || this.isAnsweredApart(asked, meeting)) continue
        const operation = this.operationAt(template, asked.method)
        if (operation) found.set(template, { operation, meeting })
      }
    }
    const all = [...found.values()]
    const nearest = all.filter(({ meeting }) =>
      all.every((other) => other.meeting === meeting || !isWithin(other.meeting.template, meeting.template)),
    )
    return nearest.flatMap(({ operation, meeting }) => {
      const taken = this.takes(operation, meeting)
      if (taken === 'no') return []
      const isSure = nearest.length === 1 && meeting.isWhole && taken === 'yes'
      return [{ answering: placed(operation, meeting), asked: without(asked, meeting), isSure }]
    })
  }

  /** Whether the URLs that both templates share have a template of their own. */
  private isAnsweredApart({ method }: Operation, { shared, isWhole }: Meeting): boolean {
    if (isWhole) return false
    return this.index.templatesAt(shared).some((it) => this.operationAt(it, method) !== null)
  }

  private operationAt(template: string, method: string): Operation | null {
    const item = pathsOf(this.side).get(template)
    return (item && operationsOf(this.side, item, template).find((it) => it.method === method)) ?? null
  }

  /** Whether the parameters of a template allow the text that the other path has in their places. */
  private takes(operation: Operation, { fixed }: Meeting): 'yes' | 'no' | 'unsure' {
    let answer: 'yes' | 'unsure' = 'yes'
    for (const [position, text] of fixed) {
      const parameter = operation.parameters.get(`path ${position}`)
      const taken = text === null ? 'unsure' : this.takesText(parameter, text)
      if (taken === 'no') return 'no'
      if (taken === 'unsure') answer = 'unsure'
    }
    return answer
  }

  private takesText(parameter: Parameter | undefined, text: string): 'yes' | 'no' | 'unsure' {
    const schema = parameter && schemaOf(parameter)
    if (!parameter || !schema) return 'yes'
    if (parameter.style !== 'simple') return 'unsure'
    const { schemas } = this.context.schemas
    const inHead = this.side === this.context.head
    const sent = schemas.made({ const: decodedOrSame(text) })
    const { verdict } = schemas.judge(inHead ? [sent] : [schema], inHead ? [schema] : [sent], {
      direction: 'request',
      fromClient: inHead,
      ...textOf(parameter, parameter),
      textual: true,
      always: true,
    })
    if (verdict === 'unknown') return 'unsure'
    return verdict === 'safe' ? 'yes' : 'no'
  }
}

const isWithin = (inner: string, outer: string): boolean => {
  const meeting = meet(inner, outer)
  return meeting !== null && meeting.isWhole && !meeting.isSame
}

const positionIn = (key: string): number | null => {
  const found = /^path (\d+)$/.exec(key)?.[1]
  return found === undefined ? null : Number(found)
}

/** An operation with its path parameters at the positions of another template; those that are fixed text there are left out. */
const placed = (operation: Operation, { moved }: Meeting): Operation => ({
  ...operation,
  parameters: new Map(
    [...operation.parameters].flatMap(([key, parameter]): [string, Parameter][] => {
      const position = positionIn(key)
      if (position === null) return [[key, parameter]]
      const to = moved.get(position)
      return to === undefined ? [] : [[`path ${to}`, parameter]]
    }),
  ),
})

/** An operation without the path parameters that have no counterpart in the template. */
const without = (operation: Operation, { moved }: Meeting): Operation => {
  const kept = new Set(moved.values())
  return {
    ...operation,
    parameters: new Map(
      [...operation.parameters].filter(([key]) => {
        const position = positionIn(key)
        return position === null || kept.has(position)
      }),
    ),
  }
}

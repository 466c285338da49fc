import { isObject, type Json, type Path } from '../../document/json.ts'
import { resolveReference } from '../../document/reference.ts'
import type { Complaint, FunctionContext, LintFunction } from '../rule.ts'
import { eachOperation, type FoundOperation } from './each-operation.ts'

interface Parameter {
  readonly name: string
  readonly required: boolean
  readonly path: Path
}

function parametersOf(list: Json | undefined, at: Path, context: FunctionContext): Parameter[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((written: Json, index: number) => {
    let value = written
    let path: Path = [...at, index]
    if (isObject(written) && typeof written.$ref === 'string') {
      const target = resolveReference(context.document, { ref: written.$ref, base: '' })
      if (typeof target === 'string') return []
      ;({ value, path } = target)
    }
    if (!isObject(value) || value.in !== 'path' || typeof value.name !== 'string') return []
    return [{ name: value.name, required: value.required === true, path }]
  })
}

const templateNames = (template: string): string[] =>
  [...template.matchAll(/\{([^}]*)\}/g)].map((match) => match[1] ?? '')

function checkOperation(it: FoundOperation, context: FunctionContext): Complaint[] {
  const itemPath = it.path.slice(0, 2)
  const shared = parametersOf(it.item.parameters, [...itemPath, 'parameters'], context)
  const own = parametersOf(it.operation.parameters, [...it.path, 'parameters'], context)
  const names = templateNames(it.template)
  const complaints: Complaint[] = []
  for (const parameter of [...shared, ...own]) {
    if (!names.includes(parameter.name) && own.includes(parameter))
      complaints.push({
        message: `Parameter "${parameter.name}" must be used in path "${it.template}".`,
        path: parameter.path,
      })
    if (!parameter.required)
      complaints.push({
        message: 'Path parameter must have "required" property that is set to "true".',
        path: parameter.path,
      })
  }
  const declared = new Set([...shared, ...own].map((parameter) => parameter.name))
  for (const name of names) {
    if (!declared.has(name))
      complaints.push({
        message: `Operation must define parameter "{${name}}" as expected by path "${it.template}".`,
        path: it.path,
      })
  }
  return complaints
}

/** Templates name each parameter once, and operations declare them all, as required; two templates of one shape collide. */
const pathParameters: LintFunction = (_, __, context) => {
  const { root } = context
  const complaints: Complaint[] = []
  const shapes = new Map<string, string>()
  for (const template of isObject(root) && isObject(root.paths) ? Object.keys(root.paths) : []) {
    const path = ['paths', template]
    const shape = template.replaceAll(/\{[^}]*\}/g, '{}')
    const twin = shapes.get(shape)
    if (twin !== undefined)
      complaints.push({ message: `Paths "${twin}" and "${template}" must not be equivalent.`, path })
    else shapes.set(shape, template)
    const names = templateNames(template)
    for (const name of new Set(names.filter((one, index) => names.indexOf(one) !== index)))
      complaints.push({ message: `Path "${template}" must not use parameter "{${name}}" multiple times.`, path })
  }
  return [...complaints, ...eachOperation(root).flatMap((it) => checkOperation(it, context))]
}

export default pathParameters

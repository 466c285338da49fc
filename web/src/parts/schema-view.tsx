import { useState } from 'react'
import {
  descriptionAt,
  entriesAt,
  follow,
  isNode,
  limitWords,
  listAt,
  type Node,
  nodeAt,
  plainChoices,
  typeWords,
} from './openapi-document.ts'
import { Words } from './page.tsx'

interface Child {
  readonly name: string
  readonly schema: unknown
  readonly required: boolean
}

const choiceKeys = ['oneOf', 'anyOf'] as const

/** A choice of more than types and values: the line of the schema itself says "string or null". */
const hasChoice = (node: Node): boolean =>
  choiceKeys.some((key) => listAt(node, key).length > 0 && plainChoices({ anyOf: node[key] }) === null)

/** The schema and everything that it is put together of by `allOf`; what brings a choice is left for a row of its own. */
const partsOf = (root: unknown, schema: unknown, seen = new Set<Node>()): { nodes: Node[]; rest: unknown[] } => {
  const { node } = follow(root, schema)
  if (!node || seen.has(node)) return { nodes: [], rest: [] }
  seen.add(node)
  const parts = listAt(node, 'allOf').map((branch) => {
    const { node: target } = follow(root, branch)
    return target !== null && hasChoice(target) ? { nodes: [], rest: [branch] } : partsOf(root, branch, seen)
  })
  return { nodes: [node, ...parts.flatMap((it) => it.nodes)], rest: parts.flatMap((it) => it.rest) }
}

/** What is one level below a schema: its properties and those of its parts, its items, its choices. */
const childrenOf = (root: unknown, schema: unknown, seen: ReadonlySet<unknown> = new Set()): Child[] => {
  const { nodes, rest } = partsOf(root, schema)
  const [node] = nodes
  if (!node || seen.has(node)) return []
  const required = new Set(nodes.flatMap((it) => listAt(it, 'required')))
  const properties = new Map(nodes.toReversed().flatMap((it) => entriesAt(it, 'properties')))
  const children = [...properties].map(([name, property]): Child => ({
    name,
    schema: property,
    required: required.has(name),
  }))
  children.push(...rest.map((part, index) => ({ name: `part ${index + 1}`, schema: part, required: false })))
  for (const key of choiceKeys) {
    if (plainChoices({ anyOf: node[key] }) !== null) continue
    listAt(node, key).forEach((branch, index) =>
      children.push({ name: `option ${index + 1}`, schema: branch, required: false }),
    )
  }
  // An array shows what its items hold: its type already says "array of".
  if ('items' in node && children.length === 0) return childrenOf(root, node['items'], new Set([...seen, node]))
  const more = nodes.map((it) => nodeAt(it, 'additionalProperties')).find((it) => it !== null)
  if (more) children.push({ name: 'any other property', schema: more, required: false })
  return children
}

const Property = ({
  root,
  name,
  schema,
  required,
  depth,
}: {
  root: unknown
  name: string
  schema: unknown
  required: boolean
  depth: number
}) => {
  const [open, setOpen] = useState(false)
  const { node, ref } = follow(root, schema)
  const children = childrenOf(root, schema)
  const values = node ? listAt(node, 'enum') : []
  const described = [schema, node, ...(plainChoices({ anyOf: node?.['anyOf'] }) ?? [])].map(descriptionAt)
  const description = described.find((it) => it !== null) ?? null
  const line = (
    <>
      <span className="font-mono text-sm break-all">{name}</span>
      <span className="text-sm text-soft">{typeWords(schema)}</span>
      {/* The name of a type alone does not say what is sent. */}
      {ref !== null && node && children.length === 0 ? (
        <span className="text-xs text-soft">{typeWords(node)}</span>
      ) : null}
      {required ? <span className="text-xs font-medium text-soft">required</span> : null}
      {node?.['deprecated'] === true ? <span className="text-xs font-medium text-warn">deprecated</span> : null}
      {node && limitWords(node).length > 0 ? (
        <span className="text-xs text-soft">{limitWords(node).join(', ')}</span>
      ) : null}
    </>
  )
  return (
    <li className="py-1.5">
      {children.length > 0 ? (
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex w-full flex-wrap items-baseline gap-x-2 rounded text-left hover:bg-raised"
        >
          <span aria-hidden="true" className="w-3 text-soft">
            {open ? '▾' : '▸'}
          </span>
          {line}
        </button>
      ) : (
        <div className="flex flex-wrap items-baseline gap-x-2 pl-5">{line}</div>
      )}
      {description ? (
        <p className="pl-5 text-sm wrap-anywhere whitespace-pre-line text-soft">
          <Words of={description} />
        </p>
      ) : null}
      {values.length > 0 ? (
        <p className="pl-5 text-xs text-soft">
          One of{' '}
          {values.slice(0, 30).map((value) => (
            <code key={JSON.stringify(value)} className="mr-1 rounded bg-raised px-1 font-mono text-ink">
              {JSON.stringify(value)}
            </code>
          ))}
          {values.length > 30 ? `and ${values.length - 30} more` : ''}
        </p>
      ) : null}
      {open && depth < 30 ? (
        <div className="ml-1.5 border-l pl-3">
          <SchemaView root={root} schema={schema} depth={depth + 1} />
        </div>
      ) : null}
    </li>
  )
}

/**
 * A schema as a tree whose branches are drawn when they are opened: so neither the size of a document nor a type that
 * contains itself costs anything.
 */
export const SchemaView = ({ root, schema, depth = 0 }: { root: unknown; schema: unknown; depth?: number }) => {
  const children = childrenOf(root, schema)
  if (children.length === 0)
    return <p className="text-sm text-soft">{isNode(schema) ? typeWords(schema) : 'anything'}</p>
  return (
    <ul className="divide-y divide-line">
      {children.map((child) => (
        <Property key={child.name} root={root} depth={depth} {...child} />
      ))}
    </ul>
  )
}

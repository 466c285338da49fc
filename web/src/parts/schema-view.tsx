import { useState } from 'react'
import {
  descriptionAt,
  entriesAt,
  follow,
  isNode,
  limitWords,
  listAt,
  nodeAt,
  plainChoices,
  typeWords,
} from './openapi-document.ts'

/** What is one level below a schema: its properties, its items, its branches. */
const childrenOf = (root: unknown, schema: unknown): { name: string; schema: unknown; required: boolean }[] => {
  const { node } = follow(root, schema)
  if (!node) return []
  const required = new Set(listAt(node, 'required'))
  const children = entriesAt(node, 'properties').map(([name, property]) => ({
    name,
    schema: property,
    required: required.has(name),
  }))
  for (const key of ['allOf', 'oneOf', 'anyOf']) {
    // The line of the schema itself says "string or null".
    if (plainChoices({ anyOf: node[key] }) !== null) continue
    listAt(node, key).forEach((branch, index) =>
      children.push({ name: `${key} ${index + 1}`, schema: branch, required: false }),
    )
  }
  // An array shows what its items hold: its type already says "array of".
  if ('items' in node && children.length === 0) return childrenOf(root, node['items'])
  const more = nodeAt(node, 'additionalProperties')
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
  const { node } = follow(root, schema)
  const children = childrenOf(root, schema)
  const values = node ? listAt(node, 'enum') : []
  const described = [schema, node, ...(plainChoices({ anyOf: node?.['anyOf'] }) ?? [])].map(descriptionAt)
  const description = described.find((it) => it !== null) ?? null
  const line = (
    <>
      <span className="font-mono text-sm break-all">{name}</span>
      <span className="text-sm text-soft">{typeWords(schema)}</span>
      {required ? <span className="text-xs font-medium text-danger">required</span> : null}
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
      {description ? <p className="pl-5 text-sm wrap-anywhere whitespace-pre-line text-soft">{description}</p> : null}
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

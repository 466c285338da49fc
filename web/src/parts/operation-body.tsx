import type { ReactNode } from 'react'
import { descriptionAt, entriesAt, follow, isNode, listAt, type Node, textAt, typeWords } from './openapi-document.ts'
import { Badge } from './badge.tsx'
import { Words } from './page.tsx'
import { SchemaView } from './schema-view.tsx'

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="grid grid-cols-[minmax(0,1fr)] gap-1 border-t pt-3">
    <h3 className="text-sm font-semibold">{title}</h3>
    {children}
  </section>
)

const Content = ({ root, of }: { root: unknown; of: Node | null }) =>
  entriesAt(of, 'content').map(([mediaType, media]) => (
    <div key={mediaType} className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <p className="font-mono text-xs break-all text-soft">
        {mediaType} · {typeWords(isNode(media) ? media['schema'] : undefined)}
      </p>
      <SchemaView root={root} schema={isNode(media) ? media['schema'] : undefined} />
    </div>
  ))

const Parameters = ({ root, list }: { root: unknown; list: readonly unknown[] }) => (
  <ul className="divide-y">
    {list.map((given, index) => {
      const { node } = follow(root, given)
      if (!node) return null
      const name = textAt(node, 'name') ?? `parameter ${index + 1}`
      return (
        <li key={`${textAt(node, 'in')} ${name}`} className="py-1.5">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <span className="font-mono text-sm break-all">{name}</span>
            <span className="text-sm text-soft">
              {textAt(node, 'in')} · {typeWords(node['schema'])}
            </span>
            {node['required'] === true ? <span className="text-xs font-medium text-danger">required</span> : null}
          </p>
          {descriptionAt(node) ? (
            <p className="text-sm wrap-anywhere whitespace-pre-line text-soft">
              <Words of={descriptionAt(node) ?? ''} />
            </p>
          ) : null}
        </li>
      )
    })}
  </ul>
)

/** What an operation takes and answers. `root` is the document, `item` the path item that holds it. */
export const OperationBody = ({ root, item, operation }: { root: unknown; item: Node; operation: Node }) => {
  const parameters = [...listAt(item, 'parameters'), ...listAt(operation, 'parameters')]
  const body = follow(root, operation['requestBody']).node
  return (
    <>
      <p className="flex flex-wrap items-center gap-2">
        <span>{textAt(operation, 'summary')}</span>
        {textAt(operation, 'operationId') ? <Badge>{textAt(operation, 'operationId')}</Badge> : null}
        {operation['deprecated'] === true ? <Badge tone="warn">deprecated</Badge> : null}
      </p>
      {descriptionAt(operation) ? (
        <p className="text-sm wrap-anywhere whitespace-pre-line text-soft">
          <Words of={descriptionAt(operation) ?? ''} />
        </p>
      ) : null}
      {parameters.length > 0 ? (
        <Part title="Parameters">
          <Parameters root={root} list={parameters} />
        </Part>
      ) : null}
      {body ? (
        <Part title={body['required'] === true ? 'Request body, required' : 'Request body'}>
          <Content root={root} of={body} />
        </Part>
      ) : null}
      {entriesAt(operation, 'responses').map(([status, given]) => {
        const { node } = follow(root, given)
        return (
          <Part key={status} title={`Response ${status}`}>
            <p className="text-sm text-soft">
              <Words of={descriptionAt(node) ?? ''} />
            </p>
            <Content root={root} of={node} />
          </Part>
        )
      })}
    </>
  )
}

import { useQuery } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import {
  descriptionAt,
  entriesAt,
  follow,
  isNode,
  listAt,
  type Node,
  nodeAt,
  textAt,
  typeWords,
} from '../../parts/openapi-document.ts'
import { Badge, Method } from '../../parts/badge.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { Inspector, InspectorPart } from '../../parts/inspector.tsx'
import { Failure, Loading } from '../../parts/states.tsx'
import { openapiQuery, versionQuery, type VersionRef } from '../catalog/versions.ts'
import { Words } from '../../parts/page.tsx'
import { SchemaView } from '../../parts/schema-view.tsx'

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
            {node['required'] === true ? <span className="text-xs font-medium text-soft">required</span> : null}
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
const OperationBody = ({ root, item, operation }: { root: unknown; item: Node; operation: Node }) => {
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
        <InspectorPart title="Parameters">
          <Parameters root={root} list={parameters} />
        </InspectorPart>
      ) : null}
      {body ? (
        <InspectorPart title={body['required'] === true ? 'Request body, required' : 'Request body'}>
          <Content root={root} of={body} />
        </InspectorPart>
      ) : null}
      {entriesAt(operation, 'responses').map(([status, given]) => {
        const { node } = follow(root, given)
        return (
          <InspectorPart key={status} title={`Response ${status}`}>
            <p className="text-sm text-soft">
              <Words of={descriptionAt(node) ?? ''} />
            </p>
            <Content root={root} of={node} />
          </InspectorPart>
        )
      })}
    </>
  )
}

const Described = ({ at, method, path }: { at: VersionRef; method: string; path: string }) => {
  const { data: root, isError, error, refetch } = useQuery(openapiQuery(at))
  if (isError) return <Failure error={error} onRetry={() => void refetch()} />
  if (!root) return <Loading what="the operation" />
  const item = nodeAt(nodeAt(root, 'paths'), path)
  const operation = nodeAt(item, method.toLowerCase())
  if (!item || !operation) return <p className="text-soft">This version has no such operation.</p>
  return <OperationBody root={root} item={item} operation={operation} />
}

/** One operation in full, read from the version's OpenAPI document. `operation` is its name: "GET /pets/{id}". */
export const OperationDetail = ({
  at,
  operation,
  onClose,
}: {
  at: VersionRef
  operation: string
  onClose: () => void
}) => {
  const version = useQuery(versionQuery(at))
  const [method = '', ...rest] = operation.split(' ')
  const path = rest.join(' ')
  return (
    <Inspector
      name={operation}
      what="the operation"
      all="All operations"
      onClose={onClose}
      heading={
        <>
          <Method method={method} />
          <span className="font-mono text-sm break-all">{path}</span>
        </>
      }
      tools={
        <>
          <CopyButton text={operation} what="method and path" />
          {version.data ? (
            <a
              href={`${version.data.urls.page}#${encodeURIComponent(operation)}`}
              target="_blank"
              rel="noreferrer"
              aria-label="Open in the documentation (opens in a new tab)"
              title="Open in the documentation"
              className="inline-flex size-7 items-center justify-center rounded-md hover:bg-raised"
            >
              <ExternalLink size={16} aria-hidden="true" />
            </a>
          ) : null}
        </>
      }
    >
      <Described at={at} method={method} path={path} />
    </Inspector>
  )
}

import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { descriptionAt, follow, isNode, listAt, type Node, textAt } from '../src/parts/openapi-document.ts'
import { SchemaView } from '../src/parts/schema-view.tsx'
import { Badge, Method } from '../src/parts/badge.tsx'
import { count } from '../src/parts/text.ts'
import {
  actionWords,
  criterionWords,
  flowOf,
  outputsOf,
  reusable,
  type SourceDocuments,
  sourcesOf,
  targetOf,
  valueWords,
  workflowsOf,
} from './arazzo.ts'

import { WorkflowDiagram } from './workflow-diagram.tsx'

interface Shown {
  readonly root: unknown
  readonly documents: SourceDocuments
}

const workflowAnchor = (id: string): string => `workflow/${encodeURIComponent(id)}`
const stepAnchor = (workflow: string, step: string): string => `${workflowAnchor(workflow)}/${encodeURIComponent(step)}`

const Code = ({ children }: { children: ReactNode }) => (
  <code className="rounded bg-raised px-1 font-mono text-sm break-all">{children}</code>
)

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="grid gap-1">
    <p className="text-sm font-semibold">{title}</p>
    {children}
  </div>
)

const Words = ({ of }: { of: Node }) => {
  const description = descriptionAt(of)
  return description === null ? null : <p className="text-sm whitespace-pre-line text-soft">{description}</p>
}

/** What a step calls, with a way there where there is one. */
const TargetLine = ({ step, root, documents }: Shown & { step: Node }) => {
  const target = targetOf(step, root, documents, location.href)
  if (target.kind === 'unknown') return <p className="text-soft">Calls an unknown operation.</p>
  if (target.kind === 'channel')
    return (
      <p>
        {target.action === 'receive' ? 'Receives' : 'Sends'} <Code>{target.name}</Code>
        {target.source === null ? null : <span className="text-soft"> of {target.source}</span>}
      </p>
    )
  if (target.kind === 'workflow')
    return (
      <p>
        Calls the workflow{' '}
        {target.here ? (
          <a className="link font-mono text-sm" href={`#${workflowAnchor(target.workflowId)}`}>
            {target.workflowId}
          </a>
        ) : (
          <Code>{target.workflowId}</Code>
        )}
        {target.source === null ? null : <span className="text-soft"> of {target.source}</span>}
      </p>
    )
  const named = target.operationId === null ? null : <Code>{target.operationId}</Code>
  const ref = target.method === null ? '' : `#${encodeURIComponent(`${target.method} ${target.path}`)}`
  return (
    <p className="flex flex-wrap items-baseline gap-x-2">
      <span>Calls</span>
      {target.method === null ? null : (
        <span className="inline-flex items-baseline">
          <Method method={target.method} />
          <span className="font-mono text-sm break-all">{target.path}</span>
        </span>
      )}
      {named}
      {target.summary === null ? null : <span>{target.summary}</span>}
      {target.source === null ? null : (
        <span className="text-soft">
          of{' '}
          {target.page === null ? (
            target.source
          ) : (
            <a className="link" href={`${target.page}${ref}`}>
              {target.source}
            </a>
          )}
        </span>
      )}
    </p>
  )
}

const Pairs = ({ label, rows }: { label: string; rows: readonly (readonly [string, ReactNode])[] }) => (
  <dl className="grid grid-cols-[minmax(6rem,auto)_1fr] gap-x-3 gap-y-1" aria-label={label}>
    {rows.map(([name, value]) => (
      <div key={name} className="contents">
        <dt className="font-mono text-sm">{name}</dt>
        <dd className="min-w-0 text-sm">{value}</dd>
      </div>
    ))}
  </dl>
)

const Parameters = ({ root, list }: { root: unknown; list: readonly unknown[] }) => {
  const rows = list.flatMap((given): [string, ReactNode][] => {
    const node = reusable(root, given)
    if (node === null) return []
    const place = textAt(node, 'in')
    const value = 'value' in node ? <Code>{valueWords(node['value'])}</Code> : null
    const where = place === null ? null : <span className="text-soft">in {place}</span>
    return [
      [
        textAt(node, 'name') ?? '?',
        <>
          {value} {where}
        </>,
      ],
    ]
  })
  return (
    <Part title="Parameters">
      <Pairs label="Parameters" rows={rows} />
    </Part>
  )
}

const RequestBody = ({ body }: { body: Node }) => (
  <Part title={`Request body${textAt(body, 'contentType') ? `, ${textAt(body, 'contentType')}` : ''}`}>
    {'payload' in body ? (
      <pre className="overflow-auto rounded bg-raised p-2 font-mono text-xs" tabIndex={0} aria-label="Payload">
        {typeof body['payload'] === 'string' ? body['payload'] : JSON.stringify(body['payload'], null, 2)}
      </pre>
    ) : null}
    {listAt(body, 'replacements')
      .filter(isNode)
      .map((one) => (
        <p key={textAt(one, 'target')} className="text-sm">
          <Code>{textAt(one, 'target') ?? ''}</Code> becomes <Code>{valueWords(one['value'])}</Code>
        </p>
      ))}
  </Part>
)

const Criteria = ({ title, list }: { title: string; list: readonly unknown[] }) => (
  <Part title={title}>
    <ul className="grid gap-1">
      {list.filter(isNode).map((one, index) => {
        const { condition, how } = criterionWords(one)
        return (
          <li key={`${index} ${condition}`} className="text-sm">
            <Code>{condition}</Code> {how === null ? null : <span className="text-soft">{how}</span>}
          </li>
        )
      })}
    </ul>
  </Part>
)

const Actions = ({ title, root, list }: { title: string; root: unknown; list: readonly unknown[] }) => (
  <Part title={title}>
    <ul className="grid gap-1">
      {list.map((given, index) => {
        const action = reusable(root, given)
        if (action === null) return null
        const when = listAt(action, 'criteria').filter(isNode)
        return (
          <li key={`${index} ${textAt(action, 'name')}`} className="text-sm">
            <span className="font-medium">{textAt(action, 'name')}</span>: {actionWords(action)}
            {when.map((one) => (
              <span key={criterionWords(one).condition} className="text-soft">
                {' '}
                when <Code>{criterionWords(one).condition}</Code>
              </span>
            ))}
          </li>
        )
      })}
    </ul>
  </Part>
)

const Outputs = ({ of }: { of: Node }) => (
  <Part title="Outputs">
    <Pairs label="Outputs" rows={outputsOf(of).map(([name, value]) => [name, <Code key={name}>{value}</Code>])} />
  </Part>
)

const some = (node: Node, key: string): boolean => listAt(node, key).length > 0

const Step = ({ root, documents, workflow, step, index }: Shown & { workflow: string; step: Node; index: number }) => {
  const id = textAt(step, 'stepId') ?? `step ${index + 1}`
  const body = step['requestBody']
  return (
    <li id={stepAnchor(workflow, id)} className="card grid scroll-mt-16 gap-3 p-4">
      <h4 className="flex flex-wrap items-baseline gap-x-2 font-semibold">
        <span className="text-soft">{index + 1}.</span>
        <span className="font-mono break-all">{id}</span>
      </h4>
      <Words of={step} />
      <TargetLine root={root} documents={documents} step={step} />
      {some(step, 'parameters') ? <Parameters root={root} list={listAt(step, 'parameters')} /> : null}
      {isNode(body) ? <RequestBody body={body} /> : null}
      {some(step, 'successCriteria') ? (
        <Criteria title="Succeeds when all of these are true" list={listAt(step, 'successCriteria')} />
      ) : null}
      {some(step, 'onSuccess') ? <Actions title="On success" root={root} list={listAt(step, 'onSuccess')} /> : null}
      {some(step, 'onFailure') ? <Actions title="On failure" root={root} list={listAt(step, 'onFailure')} /> : null}
      {outputsOf(step).length > 0 ? <Outputs of={step} /> : null}
    </li>
  )
}

const Inputs = ({ root, schema }: { root: unknown; schema: unknown }) => {
  const { node, ref } = follow(root, schema)
  return (
    <Part title={ref === null ? 'Inputs' : `Inputs: ${ref.slice(ref.lastIndexOf('/') + 1)}`}>
      <SchemaView root={root} schema={node ?? schema} />
    </Part>
  )
}

const Workflow = ({ root, documents, id, node }: Shown & { id: string; node: Node }) => {
  const steps = listAt(node, 'steps').filter(isNode)
  const before = listAt(node, 'dependsOn').filter((one): one is string => typeof one === 'string')
  return (
    <section id={workflowAnchor(id)} aria-label={id} className="grid scroll-mt-16 gap-3">
      <h3 className="flex flex-wrap items-baseline gap-2 text-lg font-semibold">
        <span className="font-mono break-all">{id}</span>
        <Badge>{count(steps.length, 'step', 'steps')}</Badge>
      </h3>
      {textAt(node, 'summary') === null ? null : <p>{textAt(node, 'summary')}</p>}
      <Words of={node} />
      {before.length > 0 ? <p className="text-sm">Runs after {before.join(', ')}.</p> : null}
      {isNode(node['inputs']) ? <Inputs root={root} schema={node['inputs']} /> : null}
      {some(node, 'parameters') ? <Parameters root={root} list={listAt(node, 'parameters')} /> : null}
      {steps.length > 1 ? <WorkflowDiagram flow={flowOf(root, node)} /> : null}
      <ol className="grid gap-3" aria-label={`Steps of ${id}`}>
        {steps.map((step, index) => (
          <Step
            key={textAt(step, 'stepId') ?? index}
            root={root}
            documents={documents}
            workflow={id}
            step={step}
            index={index}
          />
        ))}
      </ol>
      {some(node, 'successActions') ? (
        <Actions title="On success of a step" root={root} list={listAt(node, 'successActions')} />
      ) : null}
      {some(node, 'failureActions') ? (
        <Actions title="On failure of a step" root={root} list={listAt(node, 'failureActions')} />
      ) : null}
      {outputsOf(node).length > 0 ? <Outputs of={node} /> : null}
    </section>
  )
}

const WorkflowsView = ({ root, documents }: Shown) => {
  const workflows = workflowsOf(root)
  const sources = sourcesOf(root)
  const info = isNode(root) && isNode(root['info']) ? root['info'] : {}
  return (
    <main className="mx-auto grid w-full max-w-6xl items-start gap-6 px-4 py-6 font-sans text-ink lg:grid-cols-[14rem_minmax(0,1fr)]">
      <nav aria-label="Workflows" className="lg:sticky lg:top-16">
        <p role="status" className="mb-2 text-sm text-soft">
          {count(workflows.length, 'workflow', 'workflows')}
        </p>
        <ul className="grid gap-1">
          {workflows.map(({ id }) => (
            <li key={id}>
              <a className="link font-mono text-sm break-all" href={`#${workflowAnchor(id)}`}>
                {id}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="grid min-w-0 gap-8">
        <div className="grid gap-2">
          <h2 className="text-xl font-semibold">{textAt(info, 'title') ?? 'Workflows'}</h2>
          {textAt(info, 'summary') === null ? null : <p>{textAt(info, 'summary')}</p>}
          <Words of={info} />
          <Part title="Sources">
            <ul className="grid gap-1 text-sm">
              {sources.map(({ name, type, url }) => (
                <li key={name}>
                  <span className="font-mono">{name}</span> <span className="text-soft">({type})</span>{' '}
                  <Code>{url}</Code>
                </li>
              ))}
            </ul>
          </Part>
        </div>
        {workflows.map(({ id, node }) => (
          <Workflow key={id} root={root} documents={documents} id={id} node={node} />
        ))}
      </div>
    </main>
  )
}

/** Draws the workflows of an Arazzo document: inputs, steps, what each calls, criteria and outputs. */
export const showWorkflows = (target: Element, shown: Shown): void => {
  createRoot(target).render(<WorkflowsView {...shown} />)
  // The target of the address did not exist when the browser looked for it.
  if (location.hash.length > 1)
    requestAnimationFrame(() => document.getElementById(location.hash.slice(1))?.scrollIntoView())
}

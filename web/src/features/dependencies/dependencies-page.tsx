import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Dependencies } from '../../../../src/api/dependencies.ts'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { Choices } from '../../parts/choices.tsx'
import { count } from '../../parts/count.ts'
import { Read } from '../../parts/listing.tsx'
import { Page, Section, Toolbar } from '../../parts/page.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Empty, NoMatch } from '../../parts/states.tsx'
import { FactTable } from './fact-table.tsx'
import { Graph } from './graph.tsx'
import { around, matching, mostDrawn } from './layout.ts'
import { dependenciesQuery } from './queries.ts'

const rowsAtFirst = 200

const Table = ({ tenant, edges, nodes }: Parameters<typeof FactTable>[0]) => {
  const [shown, setShown] = useState(rowsAtFirst)
  return (
    <>
      <FactTable tenant={tenant} edges={edges.slice(0, shown)} nodes={nodes} />
      {edges.length > shown ? (
        <div>
          <Button onClick={() => setShown(shown + rowsAtFirst)}>
            Show more ({(edges.length - shown).toLocaleString()} left)
          </Button>
        </div>
      ) : null}
    </>
  )
}

const Shown = ({
  tenant,
  all,
  q,
  view,
  chosen,
}: {
  tenant: string
  all: Dependencies
  q: string
  view: string
  chosen: string | null
}) => {
  const { filter } = useAddress()
  const { nodes, edges } = matching(all, q)
  const byId = new Map(all.nodes.map((it) => [it.id, it]))
  const drawn = nodes.length <= mostDrawn && view !== 'table'
  const node = chosen === null ? undefined : byId.get(chosen)
  if (nodes.length === 0) return <NoMatch what="name" onClear={() => filter({ q: '' })} />
  return (
    <>
      <p className="text-sm text-soft">
        {count(nodes.length, 'name', 'names')}, {count(edges.length, 'fact', 'facts')}.
        {all.truncated ? ' There are more than are listed: search for a name.' : ''}
        {nodes.length > mostDrawn ? ` More than ${mostDrawn} names are shown as a table.` : ''}
      </p>
      {drawn ? (
        <>
          <Graph nodes={nodes} edges={edges} chosen={chosen} onChoose={(id) => filter({ node: id ?? '' })} />
          {node === undefined ? (
            <p className="text-sm text-soft">Choose a name to see what it is connected to, and why.</p>
          ) : (
            <Section title={`What ${node.name} is connected to`}>
              <FactTable tenant={tenant} edges={around(edges, node.id).edges} nodes={byId} />
            </Section>
          )}
        </>
      ) : (
        <Table tenant={tenant} edges={edges} nodes={byId} />
      )}
    </>
  )
}

/** Who depends on what in an organization: one graph, each edge a fact with its source. */
export const DependenciesPage = ({
  tenant,
  q,
  view,
  node,
}: {
  tenant: string
  q: string
  view: string
  node: string | null
}) => {
  const dependencies = useQuery(dependenciesQuery(tenant))
  const { filter } = useAddress()
  return (
    <Page
      title="Dependencies"
      description="Who depends on what: projects, their consumers, the types they refer to, the repositories they come from and the gateways that serve them."
    >
      <Toolbar>
        <SearchField label="Search names" value={q} onChange={(text) => filter({ q: text, node: '' })} />
        <Choices
          label="View"
          value={view === 'table' ? 'table' : 'graph'}
          choices={[
            { value: 'graph', name: 'Graph' },
            { value: 'table', name: 'Table' },
          ]}
          onChange={(next) => filter({ view: next === 'table' ? 'table' : '' })}
        />
      </Toolbar>
      <Read query={dependencies} what="the dependencies">
        {(all) =>
          all.edges.length === 0 ? (
            <Empty title="Nothing depends on anything yet">
              <p>
                Register the consumers of a project, refer to registered types, bind a draft to a repository, or connect
                a project to an environment of gateways.
              </p>
            </Empty>
          ) : (
            <Shown tenant={tenant} all={all} q={q} view={view} chosen={node} />
          )
        }
      </Read>
    </Page>
  )
}

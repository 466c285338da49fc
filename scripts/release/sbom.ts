/** The software bill of materials of the executables: CycloneDX 1.6, from what npm says of package-lock.json. */
import type { Identity } from './identity.ts'

interface Component {
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
  readonly scope?: string
  readonly properties?: readonly { readonly name: string; readonly value: string }[]
  readonly [key: string]: unknown
}

/** What `npm sbom --sbom-format cyclonedx` writes: CycloneDX 1.5. */
export interface NpmSbom {
  readonly metadata: { readonly tools?: unknown; readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[]
}

export interface SbomInput {
  readonly identity: Pick<Identity, 'version' | 'repository'>
  readonly npm: NpmSbom
  /** The packages whose code is in the executable, as "name@version". */
  readonly bundled: ReadonlySet<string>
  /** The Bun runtime that every executable contains. */
  readonly runtime: { readonly version: string }
  /** As 2026-05-05T12:00:00Z. */
  readonly timestamp: string
  /** A UUID for this document. */
  readonly serial: string
}

/** The folder of the package of a module, as package-lock.json names it; null for modules of svc itself. */
export function packagePathOf(module: string): string | null {
  const at = module.indexOf('node_modules/')
  return at === -1 ? null : (/^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module.slice(at))?.[0] ?? null)
}

/**
 * The packages of modules, as "name@version".
 * @param locked `packages` of package-lock.json
 * @throws Error for a module of a package that is not locked
 */
export function bundledPackages(
  modules: readonly string[],
  locked: Readonly<Record<string, { readonly version?: string }>>,
): ReadonlySet<string> {
  const found = new Set<string>()
  for (const path of new Set(modules.map(packagePathOf))) {
    if (path === null) continue
    const version = locked[path]?.version
    if (version === undefined) throw new Error(`The package ${path} is in the executable but not in package-lock.json.`)
    found.add(`${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`)
  }
  return found
}

/**
 * Writes the bill of materials: packages in the executable are required, all others, which build and test it, are excluded
 * (CycloneDX 1.6, `component.scope`).
 */
export function sbom({ identity, npm, bundled, runtime, timestamp, serial }: SbomInput): object {
  const { version, repository } = identity
  const root = `svc@${version}`
  const bun = `bun-runtime@${runtime.version}`
  const components = npm.components.map(({ properties, ...it }) => ({
    ...it,
    scope: bundled.has(`${it.name}@${it.version}`) ? 'required' : 'excluded',
    ...(properties === undefined || properties.length === 0 ? {} : { properties }),
  }))
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${serial}`,
    version: 1,
    metadata: {
      timestamp,
      tools: { components: [{ type: 'application', name: 'npm', version: npmVersionOf(npm) }] },
      component: {
        'bom-ref': root,
        type: 'application',
        name: 'svc',
        version,
        licenses: [{ license: { id: 'Apache-2.0' } }],
        externalReferences: [{ type: 'vcs', url: repository }],
      },
    },
    components: [
      ...components,
      {
        'bom-ref': bun,
        type: 'application',
        name: 'bun',
        version: runtime.version,
        scope: 'required',
        description: 'The JavaScript runtime that every executable contains',
        licenses: [{ license: { id: 'MIT' } }],
        purl: `pkg:github/oven-sh/bun@bun-v${runtime.version}`,
      },
    ],
    dependencies: [
      ...npm.dependencies.map(({ ref, dependsOn = [] }) =>
        ref === npm.metadata.component['bom-ref']
          ? { ref: root, dependsOn: [...dependsOn, bun] }
          : { ref, dependsOn: [...dependsOn] },
      ),
      { ref: bun, dependsOn: [] },
    ],
  }
}

function npmVersionOf({ metadata: { tools } }: NpmSbom): string {
  const [first] = Array.isArray(tools) ? (tools as { version?: unknown }[]) : []
  return typeof first?.version === 'string' ? first.version : 'unknown'
}

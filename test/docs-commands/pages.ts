/** What the pages of the documentation presuppose, and what of them is not run. */
import { description, orders, overlay, pact, swagger } from './documents.ts'
import type { Scenario } from './reader.ts'

const shop = description('Shop')
const imported = (name: string): string => `svc import openapi ${name}.yaml --publish public`

const network = 'asks a host of the internet'
const gateway = 'needs a gateway beside it; scripts/gateway-guides.ts follows the page with a real one'
const checkout = 'is run in a checkout of the sources'
const foreign = 'is another program'
const reader = 'needs the service, repository or ids of the reader'
const repository = ['git init --quiet --initial-branch main', 'git add .', 'git commit --quiet --message "Add the API"']

export const scenarios: Readonly<Record<string, Scenario>> = {
  'README.md': {
    files: {
      'openapi.yaml': shop,
      'shop.yaml': orders('1.0.0', ''),
      'shop-next.yaml': orders('2.0.0', ' \n      required: [deliverTo]'),
      'swagger.json': swagger,
      'payments.yaml': description('Payments'),
      'partners.overlay.yaml': overlay('Partners'),
      'apis/users/openapi.yaml': description('Users'),
      'pact.json': pact,
    },
    before: [
      ...repository,
      "perl -pi -e 's/1[.]0[.]0/3.0.0/' shop.yaml",
      'git commit --all --quiet --message "Next"',
      'git tag v2',
      'git checkout --quiet HEAD~1 -- shop.yaml',
      'svc gateway environment create Production --kind production',
    ],
    left: {
      'npm start': checkout,
      'npm run build': checkout,
      'svc import auto specs.zip': 'needs an archive; test/commands/import reads several',
      'svc run checkout.arazzo.yaml': reader,
      'svc repository create': network,
      'svc mcp-server observe': network,
      'svc gateway run': gateway,
      'svc bin restore shop': 'is run on docs/guides/bin.md, after a deletion',
    },
    exits: { 'svc can-i-deploy shop web 2.0.0': 3 },
    anew: ['svc init'],
  },
  'docs/agents.md': {
    files: { 'openapi.yaml': shop },
    before: [...repository, 'svc init'],
  },
  'docs/evidence.md': { left: { SVC_DIFF_TOOL: 'needs the tool of the reader' } },
  'docs/gate-in-ci.md': { exits: { 'svc breaking main:openapi.yaml openapi.yaml': 4 } },
  'docs/guides/backup.md': {
    left: {
      'svc backup': 'writes to folders of the machine; test/commands/backup runs each',
      SVC_: 'restores into folders and databases of the machine',
    },
  },
  'docs/guides/bin.md': {
    files: { 'petstore.yaml': description('Petstore') },
    before: [imported('petstore')],
    left: {
      'svc bin delete petstore': 'the page restored the project just before',
      'svc bin empty --confirm acme': 'names the organization of the reader',
    },
  },
  'docs/guides/convert.md': {
    files: {
      'openapi.yaml': shop,
      'shop.yaml': shop,
      'users.yaml': description('Users').replaceAll('/items', '/users').replaceAll('items', 'users'),
      'v1.yaml': description('First'),
      'v2.yaml': description('Second'),
      'petstore.yaml': description('Petstore', '1.2.0'),
      'apis/shop.yaml': shop,
      'swagger.json': swagger,
    },
    before: [imported('petstore')],
    left: { 'curl ': network, 'openapi.yaml:14:30': 'is one line of a longer output' },
  },
  'docs/guides/documentation-site.md': { left: { 'npm run site': checkout } },
  'docs/guides/gateway-caddy.md': { left: { '': gateway } },
  'docs/guides/gateway-compile.md': {
    files: {
      'openapi.yaml': shop,
      'policy.yaml': 'environment:\n  slug: shop\n  hostnames: [api.example.com]\ntier: strict\n',
    },
  },
  'docs/guides/gateway-envoy.md': { left: { '': gateway } },
  'docs/guides/gateway-nginx.md': { left: { '': gateway } },
  'docs/guides/gateway-policy.md': {
    files: {
      'petstore.yaml': description('Petstore'),
      'petstore-next.yaml': description('Petstore', '2.0.0'),
      'change.json': '{"presets":{"tier":"strict"}}',
      'events.ndjson': '',
    },
    before: [imported('petstore'), imported('petstore-next')],
    left: {
      'svc gateway exception create production --event': 'names an event of the reader',
      'svc gateway release': 'names releases of the reader',
      'svc gateway coverage production --add': 'names a request that a gateway saw',
      'svc gateway events list production --follow': 'runs until it is stopped',
    },
  },
  'docs/guides/git.md': {
    files: { 'openapi.yaml': shop },
    before: repository,
    left: {
      'svc git install --global': 'changes the configuration of the user',
      'error: openapi.yaml': 'is what git prints in a merge; test/commands and goldens merge',
    },
  },
  'docs/guides/governance.md': {
    files: {
      'payments.yaml': description('Payments'),
      'payments-next.yaml': description('Payments', '2.0.0'),
      'openapi.yaml': shop,
      'team-rules.yaml': 'rules:\n  info-motto:\n    given: $.info\n    then: { field: title, function: truthy }\n',
      'team-rules.test.yaml':
        'guide: team-rules.yaml\ntests:\n  - name: has a title\n    rules: info-motto\n    given: { info: { title: A } }\n    then: []\n',
    },
    before: [imported('payments'), 'svc import openapi payments-next.yaml'],
  },
  'docs/guides/mcp-catalogue.md': { left: { '': reader } },
  'docs/guides/operate.md': {
    left: {
      SVC_WORKSPACE: 'writes to folders of the machine',
      SVC_DATABASE_URL: 'needs the database of the reader',
      SVC_SECRET_KEY: 'is a setting',
      SVC_OIDC_CLIENT_SECRET_FILE: 'is a setting',
      'pass show': foreign,
    },
  },
  'docs/guides/overlays.md': {
    files: {
      'openapi.yaml': shop,
      'edited.yaml': shop.replace('Returns one item.', 'Returns an item.'),
      'overlay.yaml': overlay('Shop for partners'),
      'internal.yaml': overlay('Internal'),
      'partners.yaml': overlay('Partners'),
      'overlays/a.yaml': overlay('A'),
      'fixes.yaml': overlay('Fixes'),
    },
    left: { 'svc import openapi https://': network, 'svc import git https://': network },
  },
  'docs/guides/project-file.md': {
    files: { 'openapi.yaml': shop },
    left: { 'API     LINT': 'is the result of APIs that the page does not show' },
  },
  'docs/guides/projects.md': {
    files: {
      'petstore.yaml': description('Petstore'),
      'shop.yaml': shop,
      'catalog-info.yaml':
        'apiVersion: backstage.io/v1alpha1\nkind: API\nmetadata: { name: petstore }\nspec: { type: openapi, lifecycle: production, owner: payments }\n',
    },
    before: [imported('petstore'), imported('shop')],
    left: { 'svc project bulk --tag obsolete': 'deletes twelve projects of the reader' },
  },
  'docs/guides/replace-oasdiff.md': { left: { 'svc breaking': reader } },
  'docs/guides/replace-spectral.md': {
    files: { 'openapi.yaml': shop, 'apis/shop.yaml': shop, '.spectral.yaml': 'extends: spectral:oas\n' },
    left: { spectral: foreign },
  },
  'docs/guides/repositories.md': {
    left: { '': 'asks a forge; test/commands/repository.test.ts runs each against one of its own' },
  },
  'docs/guides/reviews.md': {
    files: { 'petstore.yaml': description('Petstore', '1.2.0').replaceAll('/items/{id}', '/pets') },
    before: ['svc import openapi petstore.yaml'],
    left: {
      'svc thread create petstore 1.2.0 /info/title': 'needs the patch of the reader',
      'svc thread apply': 'names the id of a comment of the reader',
      'svc review': 'needs a second person: no one approves their own work',
    },
    ids: { THREAD: ['svc thread list petstore 1.2.0 --json', /"id": ?"([0-9a-f-]{36})"/] },
  },
  'docs/guides/run-workflow.md': {
    left: {
      'svc run': 'needs the documents and servers of the reader; test/commands/run.test.ts runs each',
      'svc consumer': 'needs the documents of the reader; test/commands/consumer-workflow.test.ts runs it',
      'placeOrder: passed': 'has times that differ from run to run',
      'step "pay"': 'is a warning about a version of the reader',
    },
  },
  'docs/guides/webhooks.md': {
    left: { '': 'sends to an address of the reader; test/commands/webhooks-listen.test.ts has one' },
  },
  'docs/install.md': {
    left: {
      'npx ': network,
      'npm ': network,
      'brew ': network,
      'curl ': network,
      'echo ': foreign,
      'sudo ': foreign,
      'tar ': 'needs a release; scripts/release/smoke.ts installs one',
      'install svc': 'needs a release; scripts/release/smoke.ts installs one',
      'svc --version && man': 'needs a release; scripts/release/smoke.ts installs one',
      'docker ': foreign,
      'helm ': foreign,
      'git clone': network,
      'cp dist': checkout,
      sha256sum: 'needs a release; scripts/release/smoke.ts installs one',
      'gh ': foreign,
      'cosign ': foreign,
      'svc --version': 'is answered before any command; a golden has it',
      'svc completion powershell': 'is a pipe of PowerShell',
    },
  },
  'docs/pipelines.md': { left: { svc: reader, export: reader, 'st run': foreign, 'openapi-generator': foreign } },
  'docs/release.md': { left: { 'npm run release': checkout, cosign: foreign, '(cd dist': checkout } },
  'docs/sign-in.md': { left: { 'svc --base-url https://': network } },
  'docs/spectral.md': { left: { '': checkout } },
  'docs/style-guide-tests.md': {
    files: {
      'api.yaml': `extends: [[spectral:oas, off]]
rules:
  info-contact: error
  paths-kebab-case:
    severity: warn
    given: $.paths
    message: '{{property}} is not in kebab-case'
    then: { field: '@key', function: pattern, functionOptions: { match: '^(/([a-z0-9-]+|[{][a-zA-Z]+[}]))+$' } }
  no-get-body:
    given: $.paths[*].get
    then: { field: requestBody, function: falsy }
`,
      'apis/pets.yaml': 'openapi: 3.1.0\n\ninfo: { title: Pets, version: 1.0.0 }\npaths: {}\n',
    },
    exits: { 'svc style-guide test api.test.yaml': 4 },
  },
  'docs/suppressions.md': {
    files: {
      'apis/shop.yaml': shop,
      'waivers.yaml':
        'waivers:\n  - rule: info-contact\n    file: apis/**/*.yaml\n    pointer: /info\n    owner: ann@example.com\n    reason: the support team is being set up\n    expires: 2099-01-31\n',
    },
  },
  'docs/tutorial.md': { left: { '': 'compares commits of a repository of the internet' } },
  'docs/types.md': { left: { 'curl ': network } },
}

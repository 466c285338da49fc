/**
 * What the pages of the documentation presuppose, and what of them is not run.
 * Longer than 400 lines: it is one table with an entry for each page.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  documentHost,
  emptyPostgres,
  forge,
  mcpServers,
  orderingShop,
  ownService,
  serviceAt,
  startsServer,
  together,
} from './beside.ts'
import {
  description,
  dockerServer,
  ordering,
  orderingApi,
  orders,
  overlay,
  pact,
  serverJson,
  swagger,
  tools,
} from './documents.ts'
import { gatewayScenarios } from './gateway-pages.ts'
import type { Scenario } from './reader.ts'

const shop = description('Shop')
const imported = (name: string): string => `svc import openapi ${name}.yaml --publish public`

const museum = (version: string): string =>
  readFileSync(join(import.meta.dir, '../fixtures/museum', `${version}.yaml`), 'utf8')

const browser = 'waits for a person in a browser'
const network = 'asks a host of the internet'
const gateway = 'needs a gateway beside it; scripts/gateway-guides.ts follows the page with a real one'
const checkout = 'is run in a checkout of the sources'
const foreign = 'is another program'
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
      'server.json': serverJson('com.example/weather', 'https://weather.test/mcp'),
      'checkout.arazzo.yaml': ordering(false).replace('shop.yaml', 'ordering.yaml'),
      'ordering.yaml': orderingApi('1.0.0'),
    },
    before: [
      ...repository,
      "perl -pi -e 's/1[.]0[.]0/3.0.0/' shop.yaml",
      'git commit --all --quiet --message "Next"',
      'git tag v2',
      'git checkout --quiet HEAD~1 -- shop.yaml',
      'git archive --format zip --output specs.zip HEAD apis',
      'svc gateway environment create Production --kind production',
    ],
    left: {
      'npm start': checkout,
      'npm run build': checkout,
      'svc gateway run': gateway,
    },
    beside: together(forge, mcpServers, orderingShop),
    env: { SHOP_KEY: 'key', SHOP_LOGIN: 'ann:secret' },
    meanwhile: { 'svc bin restore shop': ['svc project delete shop --confirm shop'] },
    exits: { 'svc can-i-deploy shop web 2.0.0': 3 },
    anew: ['svc init'],
  },
  'docs/agents.md': {
    files: { 'openapi.yaml': shop },
    before: [...repository, 'svc init'],
  },
  'docs/evidence.md': {
    programs: { oasdiff: 'echo "[]"' },
    fill: { '/usr/local/bin/oasdiff': '{folder}.programs/oasdiff' },
  },
  'docs/gate-in-ci.md': { exits: { 'svc breaking main:openapi.yaml openapi.yaml': 4 } },
  'docs/guides/backup.md': {
    files: { 'petstore.yaml': description('Petstore') },
    before: [imported('petstore')],
    fill: { '/backups/': '{folder}/', '/var/lib/svc-new': '{folder}/new' },
    left: {
      'SVC_DATABASE_URL=postgres://svc:PASSWORD@db/svc svc tenant import':
        'test/db/organization imports into another installation, with an account for the owner',
    },
    beside: emptyPostgres,
  },
  'docs/guides/bin.md': {
    files: { 'petstore.yaml': description('Petstore') },
    before: [imported('petstore')],
    fill: { '--confirm acme': '--confirm local' },
    meanwhile: { 'svc bin delete petstore': ['svc project delete petstore --confirm petstore'] },
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
    programs: { curl: 'cat openapi.yaml' },
    left: { 'openapi.yaml:14:30': 'is one line of a longer output' },
  },
  'docs/guides/documentation-site.md': { left: { 'npm run site': checkout } },
  ...gatewayScenarios,
  'docs/guides/git.md': {
    files: { 'openapi.yaml': shop },
    before: repository,
    left: {
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
  'docs/guides/mcp-catalogue.md': {
    files: {
      'server.json': serverJson('com.example/weather', 'https://weather.test/mcp'),
      'geo.json': serverJson('com.example/geo', 'https://geo.test/mcp'),
      'files.json': JSON.stringify({
        name: 'com.example/files',
        description: 'Files.',
        version: '1.4.0',
        packages: [
          { registryType: 'npm', identifier: '@example/files-mcp', version: '1.4.0', transport: { type: 'stdio' } },
        ],
      }),
      'tools.json': tools,
      '.mcp.json': JSON.stringify({
        mcpServers: { files: { command: 'npx', args: ['-y', '@example/files-mcp@1.4.0'] } },
      }),
      'servers/orders/server.yaml': dockerServer,
    },
    before: [
      'svc mcp-server import geo.json files.json',
      'svc mcp-server observe com.example/geo',
      'svc mcp-server observe com.example/files --yes -- npx',
      'svc mcp-server approve com.example/files --fingerprint FILES',
    ],
    programs: { npx: startsServer, docker: startsServer, node: startsServer },
    // The reader answers the question with yes.
    fill: { 'files -- npx': 'files --yes -- npx', 'svc --base-url https://svc.example.com': 'svc' },
    env: { API_KEY: 'secret' },
    beside: mcpServers,
    ids: {
      FILES: ['svc mcp-server show com.example/files --json', /"fingerprint": ?"(?:sha256:)?([0-9a-f]{12})/],
      '2c26b46b68ff': [
        'svc mcp-server show com.example/weather --json',
        /"observed"[\s\S]*?"fingerprint": ?"(?:sha256:)?([0-9a-f]{12})/,
      ],
    },
  },
  'docs/guides/operate.md': {
    programs: { pass: 'echo secret' },
    fill: {
      '/var/lib/svc SVC_PUBLIC_URL=https://svc.example.com': '{folder}/data',
      '--host 0.0.0.0': '--host 127.0.0.1',
    },
    beside: emptyPostgres,
    left: {
      'helm install': 'needs a cluster and the registry of a release; test/server/operations/deploy renders the chart',
      SVC_DATABASE_URL_FILE: 'names files of the reader',
      SVC_SECRET_KEY_FILE: 'names files of the reader',
      SVC_OIDC_CLIENT_SECRET_FILE: 'names files of the reader',
    },
  },
  'docs/guides/storage.md': {
    left: {
      SVC_STORAGE_URL: 'names a bucket of the reader',
      'svc storage move': 'needs a bucket',
      'svc storage status': 'needs a bucket',
      'svc storage check': 'needs a bucket',
      'svc storage collect': 'needs a bucket',
      SVC_STORAGE_ACCESS_KEY_FILE: 'names files of the reader',
      SVC_STORAGE_SECRET_KEY_FILE: 'names files of the reader',
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
    beside: together(forge, documentHost),
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
    meanwhile: {
      'svc project bulk --tag obsolete': [
        'for i in $(seq 12); do sed "s/title: .*/title: Old $i/" petstore.yaml > old-$i.yaml; done',
        ...Array.from({ length: 12 }, (_, at) => `svc import openapi old-${at + 1}.yaml`),
        `svc project bulk ${Array.from({ length: 12 }, (_, at) => `old-${at + 1}`).join(' ')} --add-tag obsolete`,
      ],
    },
  },
  'docs/guides/replace-oasdiff.md': {
    files: { 'openapi.yaml': shop },
    before: [...repository, imported('openapi')],
  },
  'docs/guides/replace-spectral.md': {
    files: { 'openapi.yaml': shop, 'apis/shop.yaml': shop, '.spectral.yaml': 'extends: spectral:oas\n' },
    left: { spectral: foreign },
  },
  'docs/guides/repositories.md': {
    files: { 'shop.yaml': description('Shop', '2.0.0') },
    before: ['svc import openapi shop.yaml'],
    programs: { pass: 'echo of-ada' },
    beside: forge,
    left: {
      'svc account connect': browser,
      'svc repository import REPOSITORY-ID apis/':
        'names files of any repository; test/commands/repository plans several',
      'svc import status JOB-ID': 'is what the command before prints; test/commands/repository waits for it',
      'svc repository import REPOSITORY-ID --planned': 'the same',
    },
    ids: {
      'ACCOUNT-ID': ['svc account list --json', /"id": ?"([0-9a-f-]{36})"/],
      'REPOSITORY-ID': ['svc repository list --json', /"id": ?"([0-9a-f-]{36})"/],
      'CANDIDATE-ID': ['svc binding show shop 2.0.0 --json', /"pending": \[\s*\{\s*"id": ?"([0-9a-f-]{36})"/],
    },
    meanwhile: {
      'svc repository create acme/specs': ['svc repository delete REPOSITORY-ID'],
      'svc binding check': [
        "perl -pi -e 's/Returns one item/Returns an item/' {specs}/openapi.yaml",
        'git -C {specs} commit --all --quiet --message "Next"',
      ],
    },
  },
  'docs/guides/news.md': {
    files: {
      'petstore.yaml': description('Petstore'),
      'slack-webhook': 'https://127.0.0.1:50009/secret\n',
    },
    before: [imported('petstore')],
    // Neither a mail server nor a chat listens there.
    env: { SVC_SMTP_URL: 'smtp://127.0.0.1:1', SVC_MAIL_FROM: 'svc@example.com' },
    exits: { 'svc notification target test email': 1, 'svc notification target test ID': 1 },
    ids: { ID: ['svc notification target list', /([0-9a-f-]{36})/] },
  },
  'docs/guides/reviews.md': {
    files: {
      'petstore.yaml': description('Petstore', '1.2.0').replaceAll('/items/{id}', '/pets'),
      'patch.json': '[{"op":"replace","path":"/info/title","value":"Pets"}]',
    },
    before: ['svc import openapi petstore.yaml'],
    beside: ownService,
    // Ada reviews: no one approves their own work.
    fill: {
      'svc review mine': 'svc --base-url {ada} review mine',
      'svc review approve': 'svc --base-url {ada} review approve',
      'svc review request-changes': 'svc --base-url {ada} review request-changes',
      'svc review withdraw': 'svc --base-url {ada} review withdraw',
    },
    ids: {
      THREAD: ['svc thread list petstore 1.2.0 --json', /"id": ?"([0-9a-f-]{36})"/],
      'OPEN-THREAD': ['svc thread list petstore 1.2.0 --status open --json', /"id": ?"([0-9a-f-]{36})"/],
      COMMENT: ['svc thread show petstore 1.2.0 OPEN-THREAD --json', /"comments": ?\[\s*\{\s*"id": ?"([0-9a-f-]{36})"/],
      REVIEW: ['svc review list petstore 1.2.0 --json', /"id": ?"([0-9a-f-]{36})"/],
    },
  },
  'docs/guides/run-workflow.md': {
    files: {
      'shop.yaml': orderingApi('2.0.0'),
      'first.yaml': orderingApi('1.0.0'),
      'orders.arazzo.yaml': ordering(false),
      'later.arazzo.yaml': ordering(true),
    },
    env: { SHOP_KEY: 'key', SHOP_LOGIN: 'ann:secret' },
    beside: orderingShop,
    settle: [[/\d+ ms/g, 'N ms']],
    meanwhile: {
      'svc consumer create': [
        'svc import openapi first.yaml --publish private',
        'svc import openapi shop.yaml --publish private',
        'cp later.arazzo.yaml orders.arazzo.yaml',
        'cp first.yaml shop.yaml',
      ],
    },
  },
  'docs/guides/webhooks.md': {
    beside: ownService,
    // No one receives what is sent.
    exits: { 'svc webhooks test ID': 1 },
    env: { id: 'msg_1', timestamp: '1764400000', body: '{}' },
    fill: { 'SVC_WEBHOOK_SECRET=NEW': 'SVC_WEBHOOK_SECRET=another-secret-of-the-reader' },
    ids: { ID: ['svc webhooks list --json', /"id": ?"([0-9a-f-]{36})"/] },
    until: { 'webhooks listen': /Waiting for events/ },
  },
  'docs/install.md': {
    before: ['mkdir -p .config/fish/completions'],
    fill: { '${fpath[1]}': '{folder}' },
    left: {
      'cd svc': checkout,
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
  'docs/pipelines.md': {
    files: { 'openapi.yaml': shop },
    before: [
      ...repository,
      'svc init',
      'git add .',
      'git commit --quiet --message "Add the settings of svc"',
      'git update-ref refs/remotes/origin/main HEAD',
      "perl -pi -e 's/Returns one item/Returns an item/; s/version: 1.0.0/version: 1.0.1/' openapi.yaml",
    ],
    env: { SVC_PUBLIC_URL: 'https://svc.example.com' },
    left: { 'export SVC_API_KEY': 'needs the token of a pipeline' },
    programs: { st: 'printf "%s\\n" "$@"', 'openapi-generator': 'printf "%s\\n" "$@"' },
  },
  'docs/release.md': { left: { 'npm run release': checkout, cosign: foreign, '(cd dist': checkout } },
  'docs/guides/access.md': {
    left: {
      'svc team add payments ada@example.com': 'needs a second member; test/golden/team runs it',
      'svc team remove payments ada@example.com': 'needs a second member; test/golden/team runs it',
    },
  },
  'docs/guides/groups.md': {
    env: { SVC_OIDC_ISSUER: 'https://id.example.com', SVC_OIDC_CLIENT_ID: 'svc' },
  },
  'docs/sign-in.md': {
    beside: (folder) => serviceAt('https://svc.example', folder),
    until: { 'auth login': /Waiting/ },
    left: {
      'svc --base-url https://svc.example auth status':
        'needs the person who approves in a browser; test/commands/auth runs it',
    },
  },
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
  'docs/tutorial.md': {
    files: { 'old.yaml': museum('1.1.1'), 'new.yaml': museum('1.2.1') },
    // The repository of the page has many commits: this one has the two that it compares, under their names.
    before: [
      'git init --quiet --initial-branch main origin',
      'cp old.yaml origin/openapi.yaml',
      'git -C origin add openapi.yaml',
      'git -C origin commit --quiet --message "1.1.1"',
      'git -C origin tag 2c2ede687571',
      'cp new.yaml origin/openapi.yaml',
      'git -C origin commit --all --quiet --message "1.2.1"',
      'git -C origin tag 2770b2b2e598',
    ],
    fill: { 'https://github.com/Redocly/museum-openapi-example': '{folder}/origin' },
    exits: {
      'svc breaking 2c2ede687571:openapi.yaml 2770b2b2e598:openapi.yaml': 4,
      'svc can-i-deploy redocly-museum-api ticket-app 1.2.1': 3,
    },
  },
  'docs/types.md': { left: { 'curl ': network } },
}

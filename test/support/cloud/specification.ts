/**
 * The public API specification as lines, copied from it by hand and from nothing else, in its order: a call with its parameters,
 * the statuses it names, and the permissions it asks for; a structure with its fields.
 *
 * A name may be followed by `?` (may be left out), `=` and its default, `<lowest..highest>`, and `#` and its greatest length.
 * `+` stands before a permission that goes by what is asked for. A call that is there twice makes a thing and changes it.
 */
const outputPort =
  'domainname portname porttype serviceid? vendor? embedded? printprotocol? outputtype? reversefinisher? printerippurl? ' +
  'modelfamily? monochromeprinter? ipreaderaddress? embeddedconfiguration? deviceserial? matchinginputport? description? ' +
  'softwareCopyCollation? deviceAdminUsername? deviceAdminPassword?';
const inputPort = 'domainname portname porttype outputportid? portFlags? locationid?';
const release = 'copies? grayscale? retain?=false duplex?';
const certificates = 'subject? serial? alias? issuer? expiresin?';
const policy = 'policyName#256 balanceType initialBalance?=0<0..> groupIds? schedule?';
const prices = 'bwNormalPage<0..> bwLargePage<0..> colorNormalPage<0..> colorLargePage<0..>';

const calls = `
GET /version | | 403 | | NoAdv
GET /account | domainname? | 404 | ViewAccount | NoAdv
HEAD /account | domainname? | 404 | | NoAdv
PUT /account | parentdomain accountname accounttype primarydomain? domainname? applicationname? trustallclients? locationid? | | ViewAccount +CreateVendorAccount +CreateAccount +CreateContainer
PATCH /account | accountname? primarydomain? domainname? applicationname? trustallclients? locationid? locale? defaultpapersize? theme? timezone? | | ViewAccount +ModifyVendorAccount +ModifyCustomerAccount +ModifyAccount
GET /account/containers | | 403 | ViewAccount
PUT /account/container/{} | primarydomain? domainname? containername applicationname? locationid? timezone? | 403 404 | ViewAccount ModifyAccount
DELETE /account/container/{} | withsubnodes? | 403 404 | ViewAccount DeleteAccount
POST /login | authtype userid password? | 401 403 | | NoAdv
GET /documents | status?=0 maxRecords?=50<..500> | 403 | ViewJob | NoAdv
GET /documents/history | maxrecords?=200<..2000> pagetoken? datestart? dateend? domainname? username? portname? status? jobtype? | 400 | ViewReport
POST /documents/history | jobtype totalpages? colorpages? papersize? title? serialnumber? address? duplex? username? providerid? datetime? | 400 401 403 |
PUT /documents | providerid? data username portname title copies? grayscale? duplex? outputpagesize? pageorientation? scale?<1..100> collate? | 400 403 | AddJob | NoAdv
DELETE /documents/{} | | 403 | ViewJob DeleteJob | NoAdv
POST /documents/{}/{} | ${release} | 400 403 | ReleaseJob | NoAdv
GET /documents/{}.content | ${release} | 400 403 404 503 | ViewJob | NoAdv
GET /outputports | providerid? username? enrichPorts?=false | 403 | ViewOutputPort
POST /outputports | ${outputPort} address sendusername? active? groupNo? | | ViewOutputPort CreateOutputPort +ViewLicense +ModifyLicense
PUT /outputports | ${outputPort} address | | ViewOutputPort +CreateOutputPort
PATCH /outputports/{} | ${outputPort} address? sendusername? active? groupNo? | | ViewOutputPort ModifyOutputPort +ViewLicense +ModifyLicense
PUT /outputports | id ${outputPort} address | | ViewOutputPort +ModifyOutputPort
PUT /outputports/{}/move | domainname destinationdomainname | | ViewOutputPort ModifyOutputPort
DELETE /outputports/{} | | 403 | ViewOutputPort DeleteOutputPort
PUT /inputports | ${inputPort} | | ViewInputPort +CreateInputPort
PUT /inputports | id ${inputPort} | | ViewInputPort +ModifyInputPort
GET /inputports | providerid? username? locationids? enrichPorts?=false | 403 | ViewInputPort | NoAdv
DELETE /inputports/{} | | 403 | ViewInputPort DeleteInputPort
GET /users | username providerid | 403 404 | ViewUser
GET /users/all | providerid maxrecords?=50<..1000> pagetoken? | 403 | ViewUser
PUT /users | username providerid? detailtype? detaildata? | 403 | ViewUser CreateUser
DELETE /users/{} | providerid? | 403 | ViewUser DeleteUser
POST /users/{} | providerid? detailtype detaildata? invalidatetokens?=false | 403 | ViewUser ModifyUser +GenerateShortID +CardManagement
POST /users/import | data group mapping separator?=, hasheader?=false async?=false | 400 | CreateUser ModifyUser
POST /users/{}/cards | cardid | 400 403 | ViewUser ModifyUser CardManagement | NoAdv
GET /users/{}/groups | | 400 | ViewUser
PUT /users/{}/groups | groupid | 400 | ViewUser ModifyUser
POST /users/{}/groups | groupid? | 400 | ViewUser ModifyUser
DELETE /users/{}/groups | groupid | 400 | ViewUser ModifyUser
GET /authproviders | accountid | 400 | ViewAuthenticationProviders
PUT /authproviders | name providerType typeConfiguration accountId priority?=0 active domainNames id?=0 | 400 | ViewAuthenticationProviders +ModifyAuthenticationProviders
DELETE /authproviders/{} | | 400 | ViewAuthenticationProviders DeleteAuthenticationProviders
GET /accesscontrols | accountdomain permissionsdomain? | 400 | ViewAccessControls
PUT /accesscontrols | accountdomain authProviderId roleName userName? groupName? groupDn? | 400 | ViewAccessControls CreateAccessControls
DELETE /accesscontrols/{} | accountdomain | 400 | ViewAccessControls DeleteAccessControls
GET /locations | locationtype locationdata | 400 | ViewLocations | NoAdv
GET /locations/{} | | 404 | ViewLocations | NoAdv
POST /locations | id? name sortOrder identifiers | 400 403 | ViewLocations CreateLocations
PUT /locations/{} | id? name sortOrder identifiers | 400 403 404 | ViewLocations ModifyLocations
DELETE /locations/{} | | 403 404 | ViewLocations DeleteLocations
GET /card | cd Mac | 400 | | NoAdv
POST /card | cd Mac | 400 | | NoAdv
GET /groups | | | ViewUser
PUT /groups | groupname groupdn? | 400 | ViewUser CreateUser
DELETE /groups/{} | | | ViewUser DeleteUser
GET /groups/{} | | 404 | ViewUser
GET /groups/{}/members | | 404 | ViewUser
POST /terminalconfig | domain name vendor adminuser?= adminpassword?= applicationtype?=0 devices? | 400 | ViewTerminalConfig CreateTerminalConfig
GET /terminalconfig | serialnumber | 400 403 404 | | NoAdv
GET /token | refresh_token | 400 403 | | NoAdv
GET /scan/connectors/{} | | 403 404 | ViewScanWorkflow
GET /scan/connectors | | 403 404 | ViewScanWorkflow
PUT /scan/connectors/{} | @ScanConnectorData | 403 404 | ViewScanWorkflow ModifyScanWorkflow
POST /scan/connectors | @ScanConnectorData | 403 404 | ViewScanWorkflow CreateScanWorkflow
DELETE /scan/connectors/{} | | 403 404 | ViewScanWorkflow DeleteScanWorkflow
GET /scan/workflows/{} | | 403 404 | ViewScanWorkflow
GET /scan/workflows | | 403 404 | ViewScanWorkflow
PUT /scan/workflows/{} | @ScanWorkflowTemplateData | 403 404 | ViewScanWorkflow ModifyScanWorkflow
POST /scan/workflows | @ScanWorkflowTemplateData | 403 404 | ViewScanWorkflow CreateScanWorkflow
DELETE /scan/workflows/{} | | 403 404 | ViewScanWorkflow DeleteScanWorkflow
GET /scan/access/{} | | 403 404 | ViewScanWorkflowAccessRule
GET /scan/access | | 403 404 | ViewScanWorkflowAccessRule
PUT /scan/access/{} | @ScanWorkflowAccessData | 403 404 | ViewScanWorkflowAccessRule ModifyScanWorkflowAccessRule
POST /scan/access | @ScanWorkflowAccessData | 403 404 | ViewScanWorkflowAccessRule CreateScanWorkflowAccessRule
DELETE /scan/access/{} | | 403 404 | ViewScanWorkflowAccessRule DeleteScanWorkflowAccessRule
POST /certificate/ca | | 400 | ModifyCertificate
POST /certificate/chain | password data | 400 | ModifyCertificate
GET /certificate/ca | ${certificates} | 400 | ViewCertificate
GET /certificate/chain | ${certificates} | 400 | ViewCertificate
DELETE /certificate/ca/{} | | | DeleteCertificate
DELETE /certificate/chain/{} | | | DeleteCertificate
GET /certificate/root | | |
GET /logs/auditlogs | datefrom dateto maxRecords?=1000<1..10000> category? filter? pagetoken? | 403 400 | ViewLog
GET /endpoints/{} | | 403 400 | ViewEndpoint
GET /endpoints | withVersion maxrecords?=50<..2000> pagetoken? | 403 400 | ViewEndpoint
GET /balance/config | | 403 405 | ViewUserBalance
PUT /balance/config | enabled ${prices} | 400 403 405 | ModifyBalancePricing
GET /balance | username providerid | 403 404 405 | ViewUserBalance
GET /balance/transactions | username providerid maxrecords?=50<1..1000> pagetoken? datefrom? dateto? | 400 403 404 405 | ViewUserBalance
POST /balance/transactions | userName providerId operation balanceType amount<0..> description?= | 400 403 404 405 | ModifyUserBalance
POST /balance/check | uuid userName providerId totalPages colorPages paperSize copies | 403 |
GET /balance/policies | | 403 405 | ViewUserBalance
GET /balance/policies/{} | | 403 404 405 | ViewUserBalance
GET /balance/policies/default | | 403 405 | ViewUserBalance
POST /balance/policies | ${policy} | 400 403 405 | ModifyUserBalance
PUT /balance/policies/{} | ${policy} | 400 403 404 405 | ModifyUserBalance
PUT /balance/policies/default | ${policy} | 400 403 405 | ModifyUserBalance
DELETE /balance/policies/{} | | 400 403 404 405 | ModifyUserBalance
PUT /balance/policies/order | orderedPolicyIds | 400 403 405 | ModifyUserBalance
`;

/** Of answers: what may be absent or null has the question mark. */
const structures = `
ServerVersionInfo | version buildDate buildTimeStamp
UserInfo | id providerId accountId userName fullName email department shortId cards createdDate token? isExpired? groupIds
AccountInfo | id name accountType domainNames uuid timezone? primaryDomain?
ContainerInfo | id name domainNames timezone?
LocationInfo | id name sortOrder identifiers
GroupInfo | id groupName groupDN
InputPortInfo | id name portType outputPort? locationId? containerName?
EndpointInfo | endpointId description endpointType authorized
CertificateInfo | alias serial subject issuer notBefore notAfter body
BalanceConfigInfo | accountId enabled bwNormalPage bwLargePage colorNormalPage colorLargePage
BalanceCheckInfo | balanceEnabled sufficientBalance currentBalance calculatedCost
UserBalanceInfo | userName providerId quotaBalance walletBalance totalBalance lastUpdated?
BalanceTransactionInfo | id userId userName providerId accountId quotaAmount walletAmount transactionType quotaBalanceAfter? walletBalanceAfter? documentUuid? description adminUserId? timestamp?
BalancePolicyInfo | id accountId policyName balanceType priority isDefault initialBalance groupIds schedule? lastUpdated?
DocumentInfo | uuid documentName documentType userName totalPages colorPages duplex copies grayscale paperSize dateTime storageOnline secure tags collate status outputPortId outputPortName jobType
ScanConnectorData | id? name#100 description?#300 connectorType smtpConnectorParameters? siteBConnectorParameters? genericHttpsConnectorParameters? scanToDownloadConnectorParameters? retryAttemptsCount?=0<0..99999> retryAttemptsTimeout?=3<0..120> deliveryRestrictions?
ScanWorkflowTemplateData | id? name#100 description?#300 connectorId scanOptions? ocrOptions? barcodeOptions? documentSeparationOptions? highlightRedactionOptions? smtpConnector? siteBConnector? driveAConnector? driveCConnector? fileName? fileType sortOrder? active?=true userInputs? fileTypeEditableByUser?=false
ScanWorkflowAccessData | id? workflowId? workflowName? identityId? identityName? identityType? allowAccess?=true
ScanOptions | resolution? colorMode? pageSides? mergingOriginals? resolutionEditableByUser?=false colorModeEditableByUser?=false pageSidesEditableByUser?=false mergingOriginalsEditableByUser?=false
DocumentSeparationOptions | enabled separationType? separationBarcodeType? dropSeparator? pageSplitSize?
OcrProcessingStep | enabled blankPages? dualPages? pageOrientation? despeckle? languages? outputFormatParameters?
BarcodeOptions | enabled barcodeType?
HighlightRedactionOptions | enabled highlightColor? redactionType? rangeFrom? rangeTo?
UserInputInfo | name label defaultValue? required? userInputType values?
`;

export interface SpecifiedField {
  readonly name: string;
  readonly isOptional: boolean;
  readonly fallback: string | undefined;
  readonly lowest: number | undefined;
  readonly highest: number | undefined;
  readonly longest: number | undefined;
}

export interface SpecifiedCall {
  /** `GET /groups/{}`. */
  readonly call: string;
  readonly fields: readonly SpecifiedField[];
  readonly statuses: readonly string[];
  readonly permissions: readonly string[];
  /** By what is asked for. */
  readonly furtherPermissions: readonly string[];
  readonly isFree: boolean;
}

const words = (text = ''): readonly string[] => text.split(' ').filter((word) => word !== '');
const rows = (text: string): readonly (readonly string[])[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
const number = (text: string | undefined): number | undefined => (text ? Number(text) : undefined);

function fieldIn(word: string): SpecifiedField {
  const [, name = '', optional, fallback, lowest, highest, longest] =
    /^(\w+)(\?)?(?:=([^<#]*))?(?:<(\d*)\.\.(\d*)>)?(?:#(\d+))?$/.exec(word) ?? [];
  const limits = { lowest: number(lowest), highest: number(highest), longest: number(longest) };
  return { name, isOptional: optional !== undefined, fallback, ...limits };
}

export const specifiedStructures: Readonly<Record<string, readonly SpecifiedField[]>> = Object.fromEntries(
  rows(structures).map(([name = '', fields]) => [name, words(fields).map(fieldIn)]),
);

export const specifiedCalls: readonly SpecifiedCall[] = rows(calls).map(
  ([call = '', fields = '', statuses, permissions, free]) => ({
    call,
    fields: fields.startsWith('@')
      ? (specifiedStructures[fields.slice(1)] ?? [])
      : words(fields).map(fieldIn),
    statuses: words(statuses),
    permissions: words(permissions).filter((one) => !one.startsWith('+')),
    furtherPermissions: words(permissions).flatMap((one) => (one.startsWith('+') ? [one.slice(1)] : [])),
    isFree: free === 'NoAdv',
  }),
);

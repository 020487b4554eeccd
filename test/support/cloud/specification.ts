/**
 * The public API specification as lines, copied from it by hand and from nothing else, in its order: a call with its parameters,
 * the statuses it names, and the permissions it asks for; a structure with its fields.
 *
 * A name may be followed by a colon and its type, `?` (may be left out) or `~` (may be left out, and is never null), `=` and its
 * default, `<lowest..highest>`, and `#` and its greatest length. `+` stands before a permission that goes by what is asked for. A call that is there twice makes a thing and changes it.
 */
const outputPort =
  'domainname:string portname:string porttype:int serviceid:int[]~ vendor:string~ embedded:boolean~ printprotocol:int~ outputtype:int~ reversefinisher:boolean~ printerippurl:string~ ' +
  'modelfamily:int~<0..2> monochromeprinter:boolean~ ipreaderaddress:string~ embeddedconfiguration:int~ deviceserial:string~ matchinginputport:boolean~ description:string~ ' +
  'softwareCopyCollation:boolean~ deviceAdminUsername:string~ deviceAdminPassword:string~';
const inputPort =
  'domainname:string portname:string porttype:int outputportid:int~ portFlags:long~ locationid?';
const release = 'copies:int~ grayscale:boolean~ retain:boolean~=false duplex:int~';
const certificates = 'subject? serial? alias? issuer? expiresin?';
const policy = 'policyName#256 balanceType initialBalance?=0<0..> groupIds? schedule?';
const prices = 'bwNormalPage<0..> bwLargePage<0..> colorNormalPage<0..> colorLargePage<0..>';

const calls = `
GET /version | | 403 | | NoAdv
GET /account | domainname:string~ | 404 | ViewAccount | NoAdv
HEAD /account | domainname:string~ | 404 | | NoAdv
PUT /account | parentdomain:string accountname:string accounttype:int primarydomain:string~ domainname:string[]~ applicationname:string~ trustallclients:boolean~ locationid:int~ | | ViewAccount +CreateVendorAccount +CreateAccount +CreateContainer
PATCH /account | accountname:string~ primarydomain:string~ domainname:string[]~ applicationname:string~ trustallclients:string~ locationid:string~ locale:string~ defaultpapersize:string~ theme:string~ timezone:string~ | | ViewAccount +ModifyVendorAccount +ModifyCustomerAccount +ModifyAccount
GET /account/containers | | 403 | ViewAccount
PUT /account/container/{} | primarydomain:string~ domainname:string[]~ containername:string applicationname:string~ locationid:int~ timezone:string~ | 403 404 | ViewAccount ModifyAccount
DELETE /account/container/{} | withsubnodes:boolean~ | 403 404 | ViewAccount DeleteAccount
POST /login | authtype:int userid:string password:string~ | 401 403 | | NoAdv
GET /documents | status:int[]~=0 maxRecords:int~=50<..500> | 403 | ViewJob | NoAdv
GET /documents/history | maxrecords:int~=200<..2000> pagetoken:string~ datestart:string~ dateend:string~ domainname:string~ username:string~ portname:string~ status:int[]~ jobtype:string~ | 400 | ViewReport
POST /documents/history | jobtype:string totalpages:string~ colorpages:string~ papersize:string~ title:string~ serialnumber:string~ address:string~ duplex:boolean~ username? providerid? datetime:string~ | 400 401 403 |
PUT /documents | providerid:int~ data username:string portname:string title:string copies:string~ grayscale:string~ duplex:string~ outputpagesize:string~ pageorientation:string~ scale:string~ collate:string~ | 400 403 | AddJob | NoAdv
DELETE /documents/{} | | 403 | ViewJob DeleteJob | NoAdv
POST /documents/{}/{} | ${release} | 400 403 | ReleaseJob | NoAdv
GET /documents/{}.content | ${release} | 400 403 404 503 | ViewJob | NoAdv
GET /outputports | providerid:int~ username:string~ enrichPorts:boolean~=false | 403 | ViewOutputPort
POST /outputports | ${outputPort} address:string sendusername:boolean~ active:boolean~ groupNo:string~ | | ViewOutputPort CreateOutputPort +ViewLicense +ModifyLicense
PUT /outputports | ${outputPort} address:string | | ViewOutputPort +CreateOutputPort
PATCH /outputports/{} | ${outputPort} address:string~ sendusername:boolean~ active? groupNo:string~ | | ViewOutputPort ModifyOutputPort +ViewLicense +ModifyLicense
PUT /outputports | id ${outputPort} address:string | | ViewOutputPort +ModifyOutputPort
PUT /outputports/{}/move | domainname:string destinationdomainname:string | | ViewOutputPort ModifyOutputPort
DELETE /outputports/{} | | 403 | ViewOutputPort DeleteOutputPort
PUT /inputports | ${inputPort} | | ViewInputPort +CreateInputPort
PUT /inputports | id ${inputPort} | | ViewInputPort +ModifyInputPort
GET /inputports | providerid:int~ username:string~ locationids:int[]~ enrichPorts:boolean~=false | 403 | ViewInputPort | NoAdv
DELETE /inputports/{} | | 403 | ViewInputPort DeleteInputPort
GET /users | username:string providerid:int | 403 404 | ViewUser
GET /users/all | providerid:int maxrecords:int~=50<..1000> pagetoken:string~ | 403 | ViewUser
PUT /users | username:string providerid:int~ detailtype:int[]~ detaildata:string[]~ | 403 | ViewUser CreateUser
DELETE /users/{} | providerid:int~ | 403 | ViewUser DeleteUser
POST /users/{} | providerid:int~ detailtype:int[] detaildata:string[]~ invalidatetokens:boolean~=false | 403 | ViewUser ModifyUser +GenerateShortID +CardManagement
POST /users/import | data group:string mapping:string separator:string~=, hasheader:boolean~=false async:string~=false | 400 | CreateUser ModifyUser
POST /users/{}/cards | cardid:string | 400 403 | ViewUser ModifyUser CardManagement | NoAdv
GET /users/{}/groups | | 400 | ViewUser
PUT /users/{}/groups | groupid:string[] | 400 | ViewUser ModifyUser
POST /users/{}/groups | groupid:string[]~ | 400 | ViewUser ModifyUser
DELETE /users/{}/groups | groupid:string[] | 400 | ViewUser ModifyUser
GET /authproviders | accountid | 400 | ViewAuthenticationProviders
PUT /authproviders | name providerType typeConfiguration:string accountId:int priority?=0 active:boolean domainNames:string[] id?=0 | 400 | ViewAuthenticationProviders +ModifyAuthenticationProviders
DELETE /authproviders/{} | | 400 | ViewAuthenticationProviders DeleteAuthenticationProviders
GET /accesscontrols | accountdomain:string permissionsdomain:string~ | 400 | ViewAccessControls
PUT /accesscontrols | accountdomain:string authProviderId roleName:string userName:string~ groupName:string~ groupDn:string~ | 400 | ViewAccessControls CreateAccessControls
DELETE /accesscontrols/{} | accountdomain:string | 400 | ViewAccessControls DeleteAccessControls
GET /locations | locationtype:int[] locationdata:string[] | 400 | ViewLocations | NoAdv
GET /locations | locationId | 404 | ViewLocations | NoAdv
GET /locations/{} | | 404 | ViewLocations | NoAdv
POST /locations | id? name sortOrder identifiers | 400 403 | ViewLocations CreateLocations
PUT /locations/{} | id? name sortOrder identifiers | 400 403 404 | ViewLocations ModifyLocations
DELETE /locations/{} | | 403 404 | ViewLocations DeleteLocations
GET /card | cd:string Mac:string | 400 | | NoAdv
POST /card | cd:string Mac:string | 400 | | NoAdv
GET /groups | | | ViewUser
PUT /groups | groupname groupdn? | 400 | ViewUser CreateUser
DELETE /groups/{} | | | ViewUser DeleteUser
GET /groups/{} | | 404 | ViewUser
GET /groups/{}/members | | 404 | ViewUser
POST /terminalconfig | domain name vendor:string adminuser?= adminpassword?= applicationtype:int~=0 devices:int[]~ | 400 | ViewTerminalConfig CreateTerminalConfig
GET /terminalconfig | serialnumber | 400 403 404 | | NoAdv
GET /token | refresh_token:string | 400 403 | | NoAdv
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
POST /certificate/chain | password:string data | 400 | ModifyCertificate
GET /certificate/ca | ${certificates} | 400 | ViewCertificate
GET /certificate/chain | ${certificates} | 400 | ViewCertificate
DELETE /certificate/ca/{} | | | DeleteCertificate
DELETE /certificate/chain/{} | | | DeleteCertificate
GET /certificate/root | | |
GET /logs/auditlogs | datefrom dateto maxRecords:int~=1000<1..10000> category:string~ filter:string~ pagetoken:string~ | 403 400 | ViewLog
GET /endpoints/{} | | 403 400 | ViewEndpoint
GET /endpoints | withVersion maxrecords:int~=50<..2000> pagetoken:string~ | 403 400 | ViewEndpoint
GET /balance/config | | 403 405 | ViewUserBalance
PUT /balance/config | enabled ${prices} | 400 403 405 | ModifyBalancePricing
GET /balance | username providerid | 403 404 405 | ViewUserBalance
GET /balance/transactions | username providerid maxrecords:int~=50<1..1000> pagetoken:string~ datefrom? dateto? | 400 403 404 405 | ViewUserBalance
POST /balance/transactions | userName providerId operation balanceType amount<0..> description:string~= | 400 403 404 405 | ModifyUserBalance
POST /balance/check | uuid userName providerId totalPages colorPages paperSize copies:int | 403 |
GET /balance/policies | | 403 405 | ViewUserBalance
GET /balance/policies/{} | | 403 404 405 | ViewUserBalance
GET /balance/policies/default | | 403 405 | ViewUserBalance
POST /balance/policies | ${policy} | 400 403 405 | ModifyUserBalance
PUT /balance/policies/{} | ${policy} | 400 403 404 405 | ModifyUserBalance
PUT /balance/policies/default | ${policy} | 400 403 405 | ModifyUserBalance
DELETE /balance/policies/{} | | 400 403 404 405 | ModifyUserBalance
PUT /balance/policies/order | orderedPolicyIds:int[] | 400 403 405 | ModifyUserBalance
`;

/**
 * What may be absent or null has the question mark, and `Option<T>` the tilde. Of types `[]` is a list, `{}` a map to it, and
 * `object` has fields of its own; a field without one has none in the specification.
 */
const structures = `
ServerVersionInfo | version:string buildDate:string buildTimeStamp:long
ErrorCodeInfo | errorCode:int
ErrorCodeInfoId | errorCode:int id:int
UserInfo | id:int providerId:int accountId:int userName:string fullName:string email:string department:string shortId:string cards:string[] createdDate:string token:object? isExpired:boolean? groupIds:int[]
TokenInfo | access_token:string refresh_token:string expires_in:int
LoggedInUserInfo | id:int providerId:int accountId:int userName:string fullName:string email:string department:string shortId:string cards:string[] createdDate:string token:object isExpired:boolean? groupIds:int[]
DocumentInfo | uuid:string documentName:string documentType:int userName:string totalPages:int colorPages:int duplex:int copies:int grayscale:boolean paperSize:string dateTime:long storageOnline:boolean secure:boolean tags:object[] collate:boolean status:int outputPortId:int outputPortName:string jobType:string
TagInfo | tagType:int name:string
OutputPortInfo | id:int name:string address:string portType:int vendor:string logoutTimeout:int autoRelease:boolean embedded:boolean monochrome:boolean trimCardId:boolean description:string embeddedConfigurationId:int printProtocol:int modelFamily:int outputType:int services:int[]{} deviceSerial:string properties:string{} containerName:string~ accountId:int~ parentAccountOrContainerId:int~ decimalFormatForCardIds:boolean isReverseFinisher:boolean printerIppUrl:string ipReaderAddress:string softwareCopyCollation:boolean sendUsername:boolean registrationSource:string active:boolean groupNo:string terminalInfo:object
TerminalInfo | deployStatus:object? terminalStatus:object?
DeployStatus | stage:int message:string lastDate:string
TerminalStatus | terminalVersion:string installationSource:int cardReaderData:string modelName:string additionalModelInfo:string firmwareVersion:string status:int statusMessage:string errorData:string modifiedDate:string
TerminalConfig | services:object authentication-way:object
AuthenticationWay | oneTimePasswordEnrollment:boolean cardOnlyAuthentication:boolean shortIdAuthentication:boolean developerLogEnabled:boolean
PrintService | serviceId:string enabled:boolean instanceIndex:int
ShortcutService | serviceId:string enabled:boolean
OfficeShortcut | serviceId:string enabled:boolean tenant:object
ScanToMe | serviceId:string enabled:boolean instanceIndex:int smtp:object
MailServer | server:string port:int security:object user:string password:string senderEmail:string disableUserAuthentication:boolean
MailSecurity | mode:string disableCertificateCheck:boolean
HistoryDocumentInfo | uuid:string documentName:string documentType:int userName:string totalPages:int colorPages:int duplex:int copies:int grayscale:boolean paperSize:string dateTime:long storageOnline:boolean secure:boolean tags:object[] collate:boolean status:int outputPortId:int outputPortName:string jobType:string providerId:int scanWorkflowId:int scanConnectorId:int
Page | recordsOnPage:int nextPageToken:string~
HistoryPage | documents:object[] recordsOnPage:int nextPageToken:string~ dateStart:string~ dateEnd:string~ domainName:string~ userName:string~ portName:string~
InputPortInfo | id:int name:string portType:int outputPort:string? locationId:int? containerName:string?
AccountInfo | id:int name:string accountType:int domainNames:string[] uuid:string timezone:string? primaryDomain:string~
ContainerInfo | id:int name:string domainNames:string[] timezone:string?
LocationInfo | id:int name:string sortOrder:int identifiers:object[]
LocationIdentifierSearch | locationType:string searchValue:string
GroupInfo | id:int groupName:string groupDN:string
DeviceTokenInfo | token_type expires_in:int access_token:string refresh_token:string
EndpointInfo | endpointId:string description:string endpointType:string authorized:boolean
CertificateInfo | alias serial subject issuer notBefore notAfter body
AuditLogInfo | category:string type:string timestamp:string eventContext:object intent? intentResult? result? customOp:object? operation:object? updatedType? objectType? updatedObjectType? entityType? oldEntity? toAddEntity? toDeleteEntity? previousEntity? updatedChildren:int[]? id? updatedId? parent? updatedParent? access? removedAccess:object[]? addedAccess:object[]? configType? configData? error?
AuditEventContext | serverId:string traceId:string source:string requestDateTime:string request sourceSocket:object? destinationSocket:object? requestingDomain:string~ auditLogCustomOpName:string~ accountAccessReason:object~ accountId:int
AuditSocket | address:string port:int
AuditOperation | op:string text:string
BalanceConfigInfo | accountId:int enabled:boolean bwNormalPage:decimal bwLargePage:decimal colorNormalPage:decimal colorLargePage:decimal
BalanceConfigData | enabled:boolean bwNormalPage:decimal<0..> bwLargePage:decimal<0..> colorNormalPage:decimal<0..> colorLargePage:decimal<0..>
BalanceCheckData | uuid:string userName:string providerId:int totalPages:int colorPages:int paperSize:string copies:int
BalanceCheckInfo | balanceEnabled:boolean sufficientBalance:boolean currentBalance:decimal calculatedCost:decimal
UserBalanceInfo | userName:string providerId:int quotaBalance:decimal walletBalance:decimal totalBalance:decimal lastUpdated:string~
BalanceTransactionInfo | id:int userId:int userName:string providerId:int accountId:int quotaAmount:decimal walletAmount:decimal transactionType:string quotaBalanceAfter:decimal~ walletBalanceAfter:decimal~ documentUuid:string~ description:string adminUserId:int~ timestamp:string~
BalanceTransactionData | userName:string providerId:int operation:string balanceType:string amount:decimal<0..> description:string~=
BalancePolicyInfo | id:int accountId:int policyName:string balanceType:string priority:int isDefault:boolean initialBalance:decimal groupIds:int[] schedule:object~ lastUpdated:string~
BalancePolicyData | policyName:string#256 balanceType:string initialBalance:decimal~=0<0..> groupIds:int[]~ schedule:object~
BalancePolicyOrderData | orderedPolicyIds:int[]
ScanConnectorData | id:int~ name:string#100 description:string~#300 connectorType:string smtpConnectorParameters:object~ siteBConnectorParameters:object~ genericHttpsConnectorParameters:object~ scanToDownloadConnectorParameters:object~ retryAttemptsCount:int~=0<0..99999> retryAttemptsTimeout:int~=3<0..120> deliveryRestrictions:object?
ScanWorkflowTemplateData | id:int~ name:string#100 description:string~#300 connectorId:int scanOptions:object? ocrOptions:object? barcodeOptions:object? documentSeparationOptions:object? highlightRedactionOptions:object? smtpConnector:object~ siteBConnector:object~ driveAConnector:object~ driveCConnector:object~ fileName:string? fileType:string sortOrder:string~ active:boolean~=true userInputs:object[]? fileTypeEditableByUser:boolean~=false
ScanWorkflowAccessData | id:int~ workflowId:int~ workflowName:string~ identityId:int~ identityName:string~ identityType:string~ allowAccess:boolean~=true
ScanOptions | resolution:string~ colorMode:string~ pageSides:string~ mergingOriginals:string~ resolutionEditableByUser:boolean~=false colorModeEditableByUser:boolean~=false pageSidesEditableByUser:boolean~=false mergingOriginalsEditableByUser:boolean~=false
DocumentSeparationOptions | enabled:boolean separationType:string~ separationBarcodeType:string~ dropSeparator:boolean? pageSplitSize:string~
OcrProcessingStep | enabled:boolean blankPages:boolean~ dualPages:boolean~ pageOrientation:boolean~ despeckle:boolean~ languages:string[]~ outputFormatParameters:object~
BarcodeOptions | enabled:boolean barcodeType:string~
HighlightRedactionOptions | enabled:boolean highlightColor:string~ redactionType:string~ rangeFrom:string? rangeTo:string?
UserInputInfo | name:string label:string defaultValue:string? required:boolean? userInputType:string values:object[]?
`;

export interface SpecifiedField {
  readonly name: string;
  readonly isOptional: boolean;
  /** `undefined` where this copy does not tell it. */
  readonly mayBeNull: boolean | undefined;
  /** `int`, `string[]`; absent where the specification has none, or this copy does not tell it. */
  readonly type: string | undefined;
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
  const [, name = '', type, optional, fallback, lowest, highest, longest] =
    /^([\w-]+)(?::([a-z]+(?:\[\])?(?:\{\})?))?([?~])?(?:=([^<#]*))?(?:<(\d*)\.\.(\d*)>)?(?:#(\d+))?$/.exec(
      word,
    ) ?? [];
  return {
    name,
    isOptional: optional !== undefined,
    mayBeNull: type === undefined ? undefined : optional === '?',
    type,
    fallback,
    lowest: number(lowest),
    highest: number(highest),
    longest: number(longest),
  };
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

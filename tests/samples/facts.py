"""What the samples tell: invented properties, companies and loans, as an analyst might have gathered them."""

from __future__ import annotations

#: Region to its properties: name | address | city | state | postal code | type | major tenant | broker.
PROPERTIES: dict[str, str] = {
    "Southeast": """\
Pelican Bend Logistics Center|410 Gulfstream Road|Savannah|GA|31408|Industrial|Quillback Freight|Saltmarsh Realty Partners
Azalea Crossing|2275 Riverside Drive|Macon|GA|31210|Retail|Fernway Grocers|Alder & Finch Advisors
Tidewater Commerce Park|7000 Palmetto Parkway|North Charleston|SC|29418|Flex|Various (9)|Saltmarsh Realty Partners
Magnolia Medical Pavilion|1801 Springhill Avenue|Mobile|AL|36608|Medical Office|Pinecone Pediatrics|Keystone Meridian
Cypress Run Flex|9850 Baymeadow Way, Bldg 100|Jacksonville|FL|32256|Flex|Tessera Tile Works|Off-market
Cypress Run Flex|9850 Baymeadow Way, Bldg 200|Jacksonville|FL|32256|Flex|Various (6)|Off-market
Laurel Station Shops|33 Verdae Crossing|Greenville|SC|29607|Retail|Nine Mile Outfitters|Alder & Finch Advisors
Heron Point Distribution|5610 Causeway Boulevard|Tampa|FL|33619|Industrial|Northlight Packaging|Keystone Meridian
Palmetto Gateway|140 Stoneridge Drive|Columbia|SC|29210|Office|Carolina Title & Escrow Co-op|Saltmarsh Realty Partners
Stonebridge Industrial Court|2401 Shallowford Lane|Chattanooga|TN|37421|Industrial|Dunmore Fasteners|Off-market
Cedar Hollow Plaza|900 Monte Sano Boulevard|Huntsville|AL|35801|Retail|Gristmill Bakeries|Alder & Finch Advisors
Blue Ridge Commons|77 Haywood Road|Asheville|NC|28806|Retail|Trillium Natural Foods|Keystone Meridian
Catawba Trade Center|12200 Westlake Drive|Charlotte|NC|28273|Industrial|Kestrel Parts & Supply|Saltmarsh Realty Partners""",
    "Northeast": """\
Quarry Street Warehouse|58 Quarry Street|Worcester|MA|01608|Industrial|Bellows Ceramics|Off-market
Millrace Office Park|One Millrace Way|Nashua|NH|03063|Office|Marlstone Laboratories|Harbor & Vine
Saltbox Village Center|1245 Post Road|Warwick|RI|02886|Retail|Fernway Grocers|Harbor & Vine
Hackensack River Terminal|600 County Avenue|Secaucus|NJ|07094|Industrial|Quillback Freight|Keystone Meridian
Ferry Landing Shops|15 Bank Street|New London|CT|06320|Retail|Various (11)|Harbor & Vine
Granite Hill Medical|250 Pleasant Street|Concord|NH|03301|Medical Office|Bayline Imaging|Off-market
Canal Works Flex|110 Suffolk Street|Lowell|MA|01852|Flex|Vireo Instruments|Harbor & Vine
Union Depot Lofts|700 Lackawanna Avenue|Scranton|PA|18503|Multifamily||Keystone Meridian
Lockport Cold Storage|1900 Tonawanda Street|Buffalo|NY|14207|Industrial|Brightwater Foods|Off-market""",
    "Midwest": """\
Prairie Junction Logistics I|3500 Rowell Avenue|Joliet|IL|60431|Industrial|Northlight Packaging|Great Plains Capital Markets
Prairie Junction Logistics II|3520 Rowell Avenue|Joliet|IL|60431|Industrial|Quillback Freight|Great Plains Capital Markets
Riverbend Market|20 Monument Avenue|Dayton|OH|45402|Retail|Trillium Natural Foods|Alder & Finch Advisors
Limestone Ridge Business Park|8100 Airwest Boulevard|Indianapolis|IN|46241|Flex|Various (14)|Great Plains Capital Markets
Copper Creek Center|4455 Patterson Court|Grand Rapids|MI|49512|Retail|Harrow Home Goods|Off-market
Elkhorn Trace Apartments|15600 Dodge Circle|Omaha|NE|68154|Multifamily||Great Plains Capital Markets
Great Lakes Medical Arts|3100 Monroe Street|Toledo|OH|43606|Medical Office|Clearwell Dental Group|Alder & Finch Advisors
Ironwood Industrial|7500 Bradley Road|Milwaukee|WI|53223|Industrial|Dunmore Fasteners|Off-market
Sycamore Row Shops|310 College Avenue|Bloomington|IN|47401|Retail|Paperbark Books|Alder & Finch Advisors
Twin Forks Distribution|6200 Alum Creek Drive|Columbus|OH|43217|Industrial|Kestrel Parts & Supply|Great Plains Capital Markets
Wheatfield Plaza|9100 Kellogg Drive|Wichita|KS|67206|Retail|NA|Off-market
Northgate Office Center|8500 Brooklyn Parkway|Minneapolis|MN|55443|Office|Loon Lake Mutual|Great Plains Capital Markets""",
    "Texas & Southwest": """\
Bluebonnet Logistics Hub|13000 Alliance Gate|Fort Worth|TX|76177|Industrial|Quillback Freight|Lone Mesa Realty
Mesquite Trail Plaza|2600 Town East Boulevard|Mesquite|TX|75150|Retail|Nine Mile Outfitters|Lone Mesa Realty
Pecan Grove Apartments|5800 Babcock Road|San Antonio|TX|78240|Multifamily||Lone Mesa Realty
Llano Business Center|4700 South Loop|Lubbock|TX|79424|Flex|Various (8)|Off-market
Palo Duro Call Center|3300 Coulter Street|Amarillo|TX|79106|Office|Vacant|Lone Mesa Realty
Rio Vista Medical Plaza|1600 Mesa Street|El Paso|TX|79902|Medical Office|Pinecone Pediatrics|Off-market
Saguaro Flex Center|5900 Lower Buckeye Road|Phoenix|AZ|85043|Flex|Vireo Instruments|Sonoran Gate Brokerage
Sandstone Gateway|6400 Jefferson Place|Albuquerque|NM|87109|Office|Marlstone Laboratories|Sonoran Gate Brokerage
Brazos Bend Warehouse|10800 West Little York|Houston|TX|77041|Industrial|Bellows Ceramics|Lone Mesa Realty
Ocotillo Shops|4200 Oracle Trace|Tucson|AZ|85705|Retail|Harrow Home Goods|Sonoran Gate Brokerage
Red River Cold Storage|900 Macarthur Loop|Oklahoma City|OK|73128|Industrial|Brightwater Foods|Off-market""",
    "Mountain & Pacific": """\
Cascade Yard|1701 Portland Way|Tacoma|WA|98421|Industrial|Tessera Tile Works|Evergreen Basin Advisors
Aspen Grove Retail|8800 Fairview Court|Boise|ID|83704|Retail|Gristmill Bakeries|Evergreen Basin Advisors
Juniper Flats Industrial|1350 Mill Street East|Reno|NV|89502|Industrial|Northlight Packaging|Off-market
Granary District Offices|850 South 400 West|Salt Lake City|UT|84101|Office|Basin & Range Software|Evergreen Basin Advisors
Harbor View Medical|1300 Colby Terrace|Everett|WA|98201|Medical Office|Bayline Imaging|Evergreen Basin Advisors
Mesa View Self Storage|2850 North Avenue|Grand Junction|CO|81501|Self Storage||Off-market""",
}
HIDDEN = "Palo Duro Call Center"
"""Withdrawn by its seller: its row is hidden, and the subtotal still counts it."""

#: Type to ranges: building area (SF), price (dollars per SF), cap rate.
MARKET: dict[str, tuple[tuple[int, int], tuple[int, int], tuple[float, float]]] = {
    "Industrial": ((85_000, 410_000), (72, 138), (0.056, 0.074)),
    "Flex": ((38_000, 120_000), (110, 175), (0.063, 0.079)),
    "Retail": ((22_000, 96_000), (140, 260), (0.061, 0.082)),
    "Office": ((41_000, 150_000), (95, 190), (0.074, 0.098)),
    "Medical Office": ((18_000, 62_000), (240, 390), (0.058, 0.071)),
    "Multifamily": ((78_000, 210_000), (150, 230), (0.051, 0.061)),
    "Self Storage": ((55_000, 90_000), (95, 140), (0.057, 0.066)),
}

#: Building to its suites: suite | tenant | area (SF) | first day | last day | monthly rent | next step | step | deposit.
SUITES: dict[str, str] = {
    "BUILDING A - 1400 Foundry Row": """\
A-100|Tessera Tile Works|18,240|2021-05-01|2028-04-30|16720|2027-05-01|3.0%|33,440
A-110|Vireo Instruments|9,600|2023-01-01|2027-12-31|10400|2027-01-01|3.0%|10,400
A-120|VACANT|6,400||||||
A-130|Paperbark Books|4,150|2019-09-15|2026-09-14|4496|MTM after expiry||
A-140|Loon Lake Mutual|5,875|2024-03-01|2031-02-28|8078|2027-03-01|2.5%|16,156
A-200|Basin & Range Software|12,300|2022-07-01|2029-06-30|18450|2027-07-01|CPI|36,900""",
    "BUILDING B - 1420 Foundry Row": """\
B-100|Northlight Packaging|31,000|2020-11-01|2030-10-31|23250|2026-11-01|3.5%|46,500
B-150|Dunmore Fasteners|22,480|2018-02-01|2028-01-31|15549|2027-02-01|2.0%|15,549
B-160|VACANT|11,200||||||
B-170|Harrow Home Goods|14,000|2025-06-01|2035-05-31|14583|2027-06-01|3.0%|29,167
B-180|Gristmill Bakeries|7,650|2023-10-01|2026-12-31|8288|||8,288""",
    "BUILDING C - 1440 Foundry Row (yard)": """\
C-1|Quillback Freight|40,000|2022-04-01|2027-03-31|21667|2027-04-01|FMV|0
C-2|Foundry Row Solar Lease|0|2021-01-01|2040-12-31|1250|2031-01-01|5.0%|""",
}

#: Loans: name | type code | city | state | lender programme.
LOANS = """\
Pelican Bend Logistics Center|IN|Savannah|GA|CONDUIT
Azalea Crossing|RT|Macon|GA|BALANCE SHEET
Magnolia Medical Pavilion|MO|Mobile|AL|LIFE CO
Heron Point Distribution|IN|Tampa|FL|CONDUIT
Palmetto Gateway|OF|Columbia|SC|CONDUIT
Cedar Hollow Plaza|RT|Huntsville|AL|BALANCE SHEET
Catawba Trade Center|IN|Charlotte|NC|LIFE CO
Millrace Office Park|OF|Nashua|NH|CONDUIT
Saltbox Village Center|RT|Warwick|RI|CONDUIT
Hackensack River Terminal|IN|Secaucus|NJ|LIFE CO
Union Depot Lofts|MF|Scranton|PA|AGENCY
Prairie Junction Logistics I|IN|Joliet|IL|CONDUIT
Prairie Junction Logistics II|IN|Joliet|IL|CONDUIT
Riverbend Market|RT|Dayton|OH|BALANCE SHEET
Limestone Ridge Business Park|FX|Indianapolis|IN|CONDUIT
Elkhorn Trace Apartments|MF|Omaha|NE|AGENCY
Great Lakes Medical Arts|MO|Toledo|OH|BALANCE SHEET
Twin Forks Distribution|IN|Columbus|OH|LIFE CO
Northgate Office Center|OF|Minneapolis|MN|CONDUIT
Bluebonnet Logistics Hub|IN|Fort Worth|TX|CONDUIT
Pecan Grove Apartments|MF|San Antonio|TX|AGENCY
Saguaro Flex Center|FX|Phoenix|AZ|BALANCE SHEET
Sandstone Gateway|OF|Albuquerque|NM|CONDUIT
Brazos Bend Warehouse|IN|Houston|TX|LIFE CO
Cascade Yard|IN|Tacoma|WA|CONDUIT
Juniper Flats Industrial|IN|Reno|NV|CONDUIT
Granary District Offices|OF|Salt Lake City|UT|BALANCE SHEET
Harbor View Medical|MO|Everett|WA|LIFE CO"""

#: The pipeline as a customer relationship system exports it, semicolons and all; the last line is its own total.
PIPELINE = '''\
Deal;Property;City;State;Type;Stage;Probability;Deal value;Expected close;List date;Source;Team;Next step
"HL-2601";"Wharf Street Cold Storage";Baltimore;MD;Industrial;LOI signed;60%;"$18.4M";2026-11-30;03/02/2026;Off-market;Acquisitions East;"Draft PSA; send to counsel"
"HL-2602";"Copperline Business Park";Richmond;VA;Flex;Under contract;90%;"$11,250,000";Oct 30, 2026;11/02/2026;Saltmarsh Realty Partners;Acquisitions East;"Estoppels due"
"HL-2603";"Tannery Row Shops";Providence;RI;Retail;Screening;10%;6900000;2027-01-15;25/03/2026;Harbor & Vine;Acquisitions East;
"HL-2604";"Foxglove Apartments";Hartford;CT;Multifamily;Screening;15%;"$31.0M";TBD;14/04/2026;Harbor & Vine;Acquisitions East;"Ask for T-12"
"HL-2605";"Larkspur Distribution";Allentown;PA;Industrial;Bid submitted;35%;"$42,600,000";2026-12-18;28/04/2026;Keystone Meridian;Acquisitions East;"Best and final 9 Oct"
"HL-2606";"Old Mint Offices";Philadelphia;PA;Office;On hold;5%;"$9.9M";;04/05/2026;Off-market;Acquisitions East;"Seller ""not in a hurry"""
"HL-2607";"Thistle Ridge Industrial";Nashville;TN;Industrial;LOI signed;55%;"$22.75M";2026-11-20;13/05/2026;Alder & Finch Advisors;Acquisitions South;
"HL-2608";"Live Oak Medical Plaza";Baton Rouge;LA;Medical office;Under contract;85%;"$14,100,000";2026-10-28;19/05/2026;Off-market;Acquisitions South;"Phase I clean"
"HL-2609";"Sweetgum Center";Little Rock;AR;Retail;Screening;n/a;"$7,450,000";2027-02-01;21/05/2026;Alder & Finch Advisors;Acquisitions South;
"HL-2610";"Port Sulphur Yard";New Orleans;LA;Industrial;Lost;0%;"$12.2M";2026-08-14;26/05/2026;Off-market;Acquisitions South;"Lost on price"
"HL-2611";"Cottonwood Flex";Tulsa;OK;Flex;Bid submitted;0.3;"$8,300,000";2026-12-04;02/06/2026;Great Plains Capital Markets;Acquisitions South;
"HL-2612";"Gulf Breeze Storage";Corpus Christi;TX;Self storage;LOI signed;50%;"$10.5M";2026-12-11;09/06/2026;Lone Mesa Realty;Acquisitions South;"Rate lock"
"HL-2613";"Sunflower Logistics";Topeka;KS;Industrial;Under contract;90%;"$27,800,000";2026-10-23;12/06/2026;Great Plains Capital Markets;Acquisitions Central;"Closing"
"HL-2614";"Boundary Waters Offices";Duluth;MN;Office;Screening;10%;"(call broker)";2027-03-31;17/06/2026;Great Plains Capital Markets;Acquisitions Central;
"HL-2615";"Badger Crossing";Madison;WI;Retail;Bid submitted;40%;"$13,350,000";2026-12-21;24/06/2026;Off-market;Acquisitions Central;"Tenant interviews"
"HL-2616";"Flint Hills Apartments";Manhattan;KS;Multifamily;LOI signed;60%;"$24.9M";2026-12-09;30/06/2026;Great Plains Capital Markets;Acquisitions Central;
"HL-2617";"Steelyard Commons";Gary;IN;Industrial;On hold;;"$5,975,000";TBD;07/07/2026;Off-market;Acquisitions Central;"Environmental: wait for report"
"HL-2618";"Sagebrush Commerce";Boise;ID;Flex;Screening;20%;"$16.0M";2027-01-29;15/07/2026;Evergreen Basin Advisors;Acquisitions West;
"HL-2619";"Kelp Bay Warehouse";Oakland;CA;Industrial;Bid submitted;35%;"$51,200,000";2026-12-15;22/07/2026;Evergreen Basin Advisors;Acquisitions West;"Second round"
"HL-2620";"Painted Rock Shops";Las Vegas;NV;Retail;LOI signed;65%;"$19,640,000";2026-11-25;29/07/2026;Sonoran Gate Brokerage;Acquisitions West;
"HL-2621";"Painted Rock Shops - Pad B";Las Vegas;NV;Retail;LOI signed;65%;"$2,150,000";2026-11-25;29/07/2026;Sonoran Gate Brokerage;Acquisitions West;"With HL-2620"
"HL-2622";"Timberline Medical";Missoula;MT;Medical office;Screening;10%;"$8.8M";2027-02-26;12/08/2026;Off-market;Acquisitions West;
"HL-2623";"Alkali Flats Solar Ground Lease";Bakersfield;CA;Land;Screening;5%;"$3,400,000";;19/08/2026;Off-market;Acquisitions West;"Title question"
"HL-2624";"Redwood Gate Offices";Sacramento;CA;Office;Lost;0%;"$21.5M";2026-09-04;26/08/2026;Evergreen Basin Advisors;Acquisitions West;"Withdrawn by seller"
"Total";;;;;;;"$390,065,000";;;;;
'''

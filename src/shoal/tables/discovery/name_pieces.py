"""Words of which column names are made that are written without a gap: `raceethnicity`."""

from __future__ import annotations

PIECES = """
of from per id ids no nr num nbr cd code key uid uuid type kind desc descr description name names nm text
flag count cnt total sum avg mean min max pct rate amount amt level group grp cat category class band range
first last middle full maiden family given sur date time datetime day month year dt start end begin since
age sex gender birth born dob race ethnicity ethnic ethnicities hispanic latino origin nationality
citizenship citizen country state city town county region district street address addr zip postal post
postcode location latitude longitude phone mobile tel telephone email mail contact home work cell fax person
patient customer cust client user member employee emp student driver voter victim officer doctor physician
hospital health system admission admit discharge stay unit dept ward visit encounter icu status marital
married education edu school job occupation employer title position department income salary wage pay
payment loan credit score test result results diagnosis diag disease symptom symptoms condition blood
pressure heart height weight bmi smoking smoker alcohol drug medication dose treatment death cause crime
charge offense offence arrest sentence convicted prison jail law enforcement agency police court case number
religion party political sexual orientation household size children account card passport license licence
plate insurance policy unique new old current previous primary secondary
"""
